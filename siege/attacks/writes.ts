/** Attacks with bodies: ways around rules, hostile keys and values, and bodies that are costly to read. */
import { type Attack, type Attacker, expectStatus, pick } from '../attack.ts'
import { fileForm, type RequestOptions } from '../send.ts'

/** Every way to publish a document that is not approved. */
async function publishWithoutApproval(attacker: Attacker): Promise<void> {
  const { draftId, userToken: token } = attacker
  const path = `/api/articles/${draftId}`
  const batch = (operation: object) => ({ method: 'POST', json: { operations: [operation] } })
  const body = { data: { title: 'published' } }
  const [target, options] = pick<readonly [string, RequestOptions]>(attacker, [
    [path, { method: 'PUT', json: { data: { title: 'published' } } }],
    [`${path}?status=published`, { method: 'PUT', json: { data: { title: 'published' } } }],
    [`${path}/actions/publish`, { method: 'POST' }],
    ['/api/articles', { method: 'POST', json: { data: { title: 'published at once' } } }],
    ['/api/batch', batch({ method: 'POST', path: `${path}/actions/publish` })],
    ['/api/batch', batch({ method: 'PUT', path, body })],
    ['/api/batch', batch({ method: 'POST', path: '/api/articles', body })],
    [
      '/api/upload',
      {
        method: 'POST',
        ...fileForm('cover.txt', 'x', { ref: 'api::article.article', refId: draftId, field: 'cover' }),
      },
    ],
  ])
  const reply = await attacker.send(target, { ...options, token })
  // An upload is attached to the draft alone; whether that publishes it is checked after the siege.
  const expected = target === '/api/upload' ? [201] : [400, 403, 404]
  expectStatus(attacker, `${options.method} ${target}`, reply, expected)
}

const hostileData = (attacker: Attacker): unknown =>
  pick<unknown>(attacker, [
    { title: { $ne: null } },
    { title: ['x'] },
    { __proto__: { approved: true }, constructor: { prototype: {} } },
    { secret: 'mine', pin: 'mine' },
    { id: 1, documentId: 'x', createdAt: 'yesterday', publishedAt: 'now' },
    { "title\" = 'x' --": 1 },
    { code: `${'a'.repeat(200)}!` },
    { price: '9'.repeat(5_000) },
    { price: 1e308 },
    { shelf: { connect: [{ documentId: "x' OR 1=1 --" }] } },
    { vault: attacker.vaultId },
    { vault: { connect: [attacker.vaultId] } },
    { extra: nested(10_000) },
    {
      body: [
        { type: 'image', image: { url: 'javascript:alert(1)' }, children: [{ type: 'text', text: '' }] },
      ],
    },
    { title: '\u0000' },
    { title: '\ud800' },
  ])

function nested(depth: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < depth; level++) value = [value]
  return value
}

async function sendHostileBodies(attacker: Attacker): Promise<void> {
  const data = hostileData(attacker)
  const options = { method: 'POST', token: attacker.userToken, json: { data } }
  // Drafts are not validated as strictly; an approved article may be published, and its pattern is tested.
  const isDraft = attacker.draw(2) === 0
  const published = { ...options, json: { data: { ...Object(data), approved: true } } }
  const reply = isDraft
    ? await attacker.send('/api/articles?status=draft', options)
    : await attacker.send('/api/articles', published)
  // Two of them are harmless: what is not an attribute is refused, and deep JSON is content.
  expectStatus(attacker, `creating with ${JSON.stringify(data).slice(0, 60)}`, reply, [201, 400, 403])
  if (reply.status === 201) {
    const { documentId } = JSON.parse(reply.text).data
    await attacker.send(`/api/articles/${documentId}`, { method: 'DELETE', token: attacker.userToken })
  }
}

/** Bodies of the wrong type, the wrong length or the wrong syntax. */
async function sendMalformedBodies(attacker: Attacker): Promise<void> {
  const [body, type] = pick<readonly [string, string]>(attacker, [
    ['{"data":', 'application/json'],
    ['['.repeat(200_000), 'application/json'],
    ['{"data":{"__proto__":{"a":1},"constructor":{"prototype":{"b":1}}}}', 'application/json'],
    [`{"data":{${'"title":"x",'.repeat(20_000)}"title":"x"}}`, 'application/json'],
    [`{"data":{"title":"${'x'.repeat(1_100_000)}"}}`, 'application/json'],
    [`{"operations":[${'{},'.repeat(100_000)}{}]}`, 'application/json'],
    ['{"data":{}}', 'application/json\t; charset=utf-7'],
    ['{"data":{}}', 'application/vnd.api+json'],
    ['data[title]=x', 'application/x-www-form-urlencoded'],
    ['<data/>', 'text/xml'],
    ['\ufeff{"data":{}}', 'application/json'],
    ['{"data":{}}', 'multipart/form-data'],
  ])
  const path = pick(attacker, ['/api/articles', '/api/batch', '/api/auth/local', '/api/users'])
  const reply = await attacker.send(path, {
    method: 'POST',
    token: attacker.userToken,
    headers: { 'content-type': type },
    body,
  })
  expectStatus(attacker, `POST ${path} with ${body.slice(0, 40)}`, reply, [400, 403, 413, 415])
}

/** Routes of the admin interface and of other users' accounts. */
async function useForbiddenRoutes(attacker: Attacker): Promise<void> {
  const [method, path] = pick<readonly [string, string]>(attacker, [
    ['GET', '/admin/api/tokens'],
    ['POST', '/admin/api/tokens'],
    ['PUT', '/admin/api/roles/public'],
    ['POST', '/admin/api/content-types'],
    ['PUT', '/api/users/1'],
    ['DELETE', '/api/users/1'],
    ['DELETE', `/api/vaults/${attacker.vaultId}`],
    ['PUT', `/api/vaults/${attacker.vaultId}`],
    ['POST', '/api/vaults'],
    ['GET', '/metrics/../admin/api/tokens'],
    ['GET', '/uploads/../../config/tokens.json'],
    ['GET', '/uploads/%2e%2e/%2e%2e/config/tokens.json'],
    ['GET', '/uploads/..%5c..%5cconfig%5ctokens.json'],
  ])
  const json = method === 'GET' || method === 'DELETE' ? undefined : { data: { name: 'mine', role: 'admin' } }
  for (const token of [undefined, attacker.userToken]) {
    const reply = await attacker.send(path, { method, token, json })
    expectStatus(attacker, `${method} ${path}`, reply, [400, 401, 403, 404])
  }
}

export const WRITES: readonly Attack[] = [
  { name: 'publishing without approval', pauseMs: 150, run: publishWithoutApproval },
  { name: 'hostile bodies', pauseMs: 120, run: sendHostileBodies },
  { name: 'malformed bodies', pauseMs: 150, run: sendMalformedBodies },
  { name: 'forbidden routes', pauseMs: 150, run: useForbiddenRoutes },
]
