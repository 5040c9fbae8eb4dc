/** The actions of soak clients: a mix of typical requests. */
import type { Json } from '../test/reference/recording.ts'

export interface Reply {
  readonly status: number
  readonly body: Json
  readonly etag: string | null
}

export interface RequestOptions {
  readonly method?: string
  readonly as?: 'full' | 'readonly' | 'nobody'
  readonly json?: unknown
  readonly form?: FormData
  readonly headers?: Readonly<Record<string, string>>
}

/** One client: sends requests and draws random numbers. */
export interface Client {
  /** Sends a request; a response with any other status is a failure. */
  send(path: string, expected: readonly number[], sending?: RequestOptions): Promise<Reply>
  /** A random integer below the bound. */
  draw(below: number): number
  /** Number of distinct values and query shapes; enough to fill the bounded caches. */
  readonly variety: number
  /** Documents that this client has created and not deleted yet, oldest first. */
  readonly made: string[]
}

export interface Action {
  readonly name: string
  readonly weight: number
  run(client: Client): Promise<unknown>
}

/** Maximum number of documents per client, so that the content does not grow. */
const KEPT = 25

const idIn = ({ body }: Reply): string => {
  const data =
    typeof body === 'object' && body !== null && !Array.isArray(body) ? Object(body.data ?? body) : {}
  return String(data.documentId)
}

const restaurant = (draw: Client['draw']) => ({
  name: `Soaked ${draw(1_000_000)}`,
  stars: draw(5),
  average_price: draw(9000) / 10,
  cuisine: ['italian', 'french', 'japanese'][draw(3)],
  extra: { numbers: Array.from({ length: 20 }, () => draw(1000)) },
  address: { street: `Street ${draw(100)}`, city: 'Roma' },
  zone: [{ __component: 'block.quote', text: 'x'.repeat(draw(400)) }],
})

const DEEP =
  'populate[categories]=true&populate[branches][populate][chef][populate]=*&populate[headquarters][populate][branches][populate][categories]=true&populate[zone][populate]=*&populate[menu][populate]=*&populate[address]=true&populate[gallery]=true'

async function create(client: Client): Promise<void> {
  const { send, draw, made } = client
  const data = restaurant(draw)
  const status = draw(4) === 0 ? '?status=draft' : ''
  made.push(
    idIn(await send(`/api/restaurants${status}`, [201], { method: 'POST', as: 'full', json: { data } })),
  )
  const oldest = made.length > KEPT ? made.shift() : undefined
  if (oldest) await send(`/api/restaurants/${oldest}?locale=*`, [204], { method: 'DELETE', as: 'full' })
}

async function update({ send, draw, made }: Client): Promise<void> {
  const [one, other] = [made[draw(made.length)], made[draw(made.length)]]
  if (!one || !other) return
  const data = {
    stars: draw(5),
    name: `Soaked ${draw(1_000_000)}`,
    branches: one === other ? [] : { connect: [other] },
  }
  await send(`/api/restaurants/${one}`, [200], { method: 'PUT', as: 'full', json: { data } })
  const action = ['publish', 'unpublish', 'discard'][draw(3)]
  await send(`/api/restaurants/${one}/actions/${action}`, [200, 400, 404], { method: 'POST', as: 'full' })
}

async function upload({ send, draw }: Client): Promise<void> {
  const form = new FormData()
  form.append('files', new Blob([picture(draw(256))], { type: 'image/png' }), `soak-${draw(1000)}.png`)
  const { body } = await send('/api/upload', [201], { method: 'POST', as: 'full', form })
  const [file] = Array.isArray(body) ? body : []
  await send(`/api/upload/files/${Object(file).id}`, [200], { method: 'DELETE', as: 'full' })
}

/** An image of one pixel with a unique text chunk, so that no two are equal. */
function picture(salt: number): Buffer<ArrayBuffer> {
  const pixel =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  return Buffer.concat([Buffer.from(pixel, 'base64'), Buffer.from([salt])])
}

async function signIn({ send, draw }: Client): Promise<void> {
  const right = draw(3) > 0
  const json = { identifier: 'alice', password: right ? 'alice-Passw0rd' : 'wrong-Passw0rd' }
  const { body } = await send('/api/auth/local', [right ? 200 : 400], { method: 'POST', json })
  if (right) await send('/api/users/me', [200], { headers: { authorization: `Bearer ${Object(body).jwt}` } })
}

export const ACTIONS: readonly Action[] = [
  {
    name: 'list',
    weight: 20,
    run: ({ send, draw }) => send(`/api/restaurants?pagination[page]=${draw(8)}`, [200]),
  },
  {
    name: 'filter and sort',
    weight: 20,
    // Many distinct values: caches must stay bounded.
    run: ({ send, draw, variety }) =>
      send(
        `/api/restaurants?filters[average_price][$lt]=${draw(variety)}&filters[name][$containsi]=${draw(3)}&sort=stars:desc`,
        [200],
      ),
  },
  {
    name: 'shapes of queries',
    weight: 5,
    run: ({ send, draw, variety }) => {
      const bits = draw(Math.min(variety / 20, 2 ** 10))
      const fields = ['name', 'stars', 'rating', 'cuisine', 'slug', 'phone'].filter(
        (_, bit) => (bits >> bit) & 1,
      )
      const sorts = ['name', 'stars', 'opened_on', 'id'].filter((_, bit) => (bits >> (bit + 6)) & 1)
      return send(
        `/api/restaurants?fields=${['id', ...fields].join()}&sort=${['id', ...sorts].join()}&pagination[limit]=10`,
        [200],
      )
    },
  },
  {
    name: 'deep populate',
    weight: 12,
    run: ({ send, draw }) =>
      send(`/api/restaurants?${DEEP}&pagination[start]=${draw(40)}`, [200], { as: 'readonly' }),
  },
  {
    name: 'one document, twice',
    weight: 10,
    async run({ send, draw, made }) {
      const one = made[draw(made.length)] ?? 'none'
      const { etag } = await send(`/api/restaurants/${one}?populate=*`, [200, 404])
      if (etag)
        await send(`/api/restaurants/${one}?populate=*`, [200, 304, 404], {
          headers: { 'if-none-match': etag },
        })
    },
  },
  {
    name: 'search',
    weight: 5,
    run: ({ send, draw, variety }) => send(`/api/restaurants?_q=${draw(variety)}`, [200]),
  },
  { name: 'create', weight: 8, run: create },
  { name: 'update', weight: 8, run: update },
  { name: 'upload', weight: 2, run: upload },
  { name: 'sign in', weight: 1, run: signIn },
  {
    name: 'wrong key',
    weight: 3,
    run: ({ send, draw }) => send(`/api/restaurants?filters[key${draw(100_000)}]=1`, [400]),
  },
  {
    name: 'wrong body',
    weight: 2,
    run: ({ send }) =>
      send('/api/restaurants', [400], { method: 'POST', as: 'full', json: { data: { name: 5 } } }),
  },
  { name: 'forbidden', weight: 2, run: ({ send }) => send('/api/accounts', [403]) },
  { name: 'documentation', weight: 1, run: ({ send }) => send('/api/openapi.json', [200]) },
]
