/** Values that would run code in a browser, or hold up the server, are refused over the network. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { request } from '../access/client.ts'
import { onEachEngine } from '../support/engines.ts'
import { serve, type TestServer } from '../support/server.ts'

const TOKEN = 'token-of-the-hostile-values-0123456789'
const PROJECT = new Map<string, unknown>([
  [
    'src/api/note/content-types/note/schema.json',
    {
      kind: 'collectionType',
      info: { singularName: 'note', pluralName: 'notes', displayName: 'note' },
      attributes: { body: { type: 'blocks' }, code: { type: 'string', regex: '^(a+)+$' } },
    },
  ],
  ['config/tokens.json', { full: { type: 'full-access', token: TOKEN } }],
])

const CODE = [
  'javascript:alert(1)',
  ' java\tscript:alert(1)',
  'vbscript:x',
  'data:text/html,<script>',
] as const
const paragraph = (child: object) => [{ type: 'paragraph', children: [child] }]
const image = (record: object) => [
  { type: 'image', image: { url: '/a.png', ...record }, children: [{ type: 'text', text: '' }] },
]

onEachEngine((engine) => {
  let running: TestServer
  before(async () => {
    running = await serve(PROJECT, await engine.freshUrl())
  })
  after(() => running?.close())

  const create = (data: object) =>
    request(running.server, 'POST', '/api/notes', { as: TOKEN, body: { data } })

  it('a URL that runs code is refused in links, images, their previews and their formats', async () => {
    for (const url of CODE) {
      const link = { type: 'link', url, children: [{ type: 'text', text: 'x' }] }
      for (const [body, path] of [
        [paragraph(link), 'body[0].children[0].url'],
        [image({ url }), 'body[0].image.url'],
        [image({ previewUrl: url }), 'body[0].image.previewUrl'],
        [image({ formats: { thumbnail: { url } } }), 'body[0].image.formats.thumbnail.url'],
      ] as const) {
        const { status, at } = await create({ body })
        assert.equal(status, 400)
        assert.equal(at('error', 'message'), `${path} must not be a URL that runs code`)
      }
    }
    assert.equal((await create({ body: image({ formats: { small: { url: '/s.png' } } }) })).status, 201)
  })

  it('a pattern of a schema that backtracks takes linear time, so that nobody has to wait', async () => {
    const before = process.cpuUsage()
    const refused = await create({ code: `${'a'.repeat(200)}!` })
    // Backtracking would take longer than the universe exists; 29 characters took 26 seconds.
    assert.ok(process.cpuUsage(before).user < 2_000_000)
    assert.equal(refused.status, 400)
    assert.equal((await create({ code: 'a'.repeat(200) })).status, 201)
  })
})
