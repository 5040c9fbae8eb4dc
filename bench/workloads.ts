/** The requests of each workload. */
import { CUISINES, type Seeded } from './content/restaurants.ts'

/** The full-access token of the benchmark's project. */
export const TOKEN = 'bench-token-0123456789abcdef0123456789abcdef01234567'
/** Servers in production take the token from this variable, which processes inherit. */
export const TOKEN_VARIABLE = 'BENCH_TOKEN'
process.env[TOKEN_VARIABLE] = TOKEN

export interface BenchRequest {
  readonly method: 'GET' | 'POST' | 'PUT'
  /** Path and query. */
  readonly path: string
  readonly body?: string
  /** Whether the server must refuse it with 400. */
  readonly isRefused?: true
}

export interface Workload {
  readonly name: string
  readonly title: string
  readonly writes: boolean
  /** Whether it takes so long that it is left out of the mixed requests of the warm-up. */
  readonly isCostly?: true
  /** Sent in order, repeatedly. */
  requests(seeded: Seeded): readonly BenchRequest[]
}

const get = (path: string): BenchRequest => ({ method: 'GET', path })
const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index))

/** So many hops from restaurants to their categories and back. */
const circle = (hops: number) =>
  times(hops, (index) => (index % 2 === 0 ? '[categories]' : '[restaurants]')).join('')

/** From every restaurant to three categories, and from each of those to 300 restaurants, twice. */
const CIRCLE = 'categories.restaurants.categories.restaurants'

export const workloads: readonly Workload[] = [
  {
    name: 'list',
    title: 'list of 25 with count',
    writes: false,
    requests: () => times(20, (page) => get(`/api/restaurants?pagination[page]=${page + 1}`)),
  },
  {
    name: 'list-without-count',
    title: 'list of 25 without count',
    writes: false,
    requests: () =>
      times(20, (page) => get(`/api/restaurants?pagination[page]=${page + 1}&pagination[withCount]=false`)),
  },
  {
    name: 'one',
    title: 'find one',
    writes: false,
    requests: ({ restaurants }) => restaurants.slice(0, 500).map((id) => get(`/api/restaurants/${id}`)),
  },
  {
    name: 'filter-sort',
    title: 'filter + sort',
    writes: false,
    requests: () =>
      times(20, (index) =>
        get(
          `/api/restaurants?filters[cuisine][$eq]=${CUISINES[index % 5]}&filters[stars][$gte]=${index % 4}&sort[0]=average_price:desc&sort[1]=name`,
        ),
      ),
  },
  {
    name: 'scan',
    title: 'filter + sort, no index',
    writes: false,
    requests: () =>
      times(20, (index) => get(`/api/restaurants?filters[name][$containsi]=RANT ${index}&sort=opened_on`)),
  },
  {
    name: 'populate-one',
    title: 'populate one level',
    writes: false,
    requests: () =>
      times(20, (page) =>
        get(`/api/restaurants?populate[0]=chef&populate[1]=categories&pagination[page]=${page + 1}`),
      ),
  },
  {
    name: 'populate-three',
    title: 'populate three levels',
    writes: false,
    requests: () =>
      times(20, (page) =>
        get(
          `/api/restaurants?populate[categories]=true&populate[chef][populate][city][populate][country]=true&pagination[page]=${page + 1}`,
        ),
      ),
  },
  {
    name: 'deep-filter',
    title: 'deep relation filter',
    writes: false,
    requests: () =>
      times(20, (index) => get(`/api/restaurants?filters[chef][city][country][name][$eq]=Country ${index}`)),
  },
  ...[2, 3, 4].map(
    (hops): Workload => ({
      name: `many-paths-${hops}`,
      title: `filter, ${hops} to-many hops`,
      writes: false,
      isCostly: true,
      requests: () =>
        times(20, (index) => get(`/api/restaurants?filters${circle(hops)}[name][$containsi]=zz${index}`)),
    }),
  ),
  {
    name: 'populate-circle',
    title: 'populate in a circle, refused',
    writes: false,
    isCostly: true,
    requests: () =>
      times(20, (page) => ({
        ...get(`/api/restaurants?populate=${CIRCLE}&pagination[page]=${page + 1}`),
        isRefused: true,
      })),
  },
  {
    name: 'create',
    title: 'create, two relations',
    writes: true,
    requests: ({ chefs, categories }) =>
      times(200, (index) => ({
        method: 'POST',
        path: '/api/restaurants',
        body: JSON.stringify({
          data: {
            name: `Created ${index}`,
            description: 'Created by the benchmark.',
            stars: index % 6,
            cuisine: CUISINES[index % 5],
            average_price: 10 + (index % 90),
            chef: chefs[index % chefs.length],
            categories: [categories[index % categories.length], categories[(index + 7) % categories.length]],
          },
        }),
      })),
  },
  {
    name: 'update',
    title: 'update one field',
    writes: true,
    requests: ({ restaurants }) =>
      restaurants.slice(0, 500).map((id, index) => ({
        method: 'PUT',
        path: `/api/restaurants/${id}`,
        body: JSON.stringify({ data: { stars: index % 6 } }),
      })),
  },
  {
    name: 'publish',
    title: 'publish',
    writes: true,
    requests: ({ restaurants }) =>
      restaurants.slice(-500).map((id) => ({
        method: 'POST',
        path: `/api/restaurants/${id}/actions/publish`,
        body: '{}',
      })),
  },
]
