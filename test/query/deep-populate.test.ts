/** `populate` works at any depth, in brackets and as dotted paths, up to a limit that is a 400. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { onEachEngine } from '../support/engines.ts'
import { type ReferenceServer, startReferenceServer } from '../support/reference-server.ts'

/** What can be populated. */
const LEVELS = 64

const forms = {
  'in brackets': (levels: number) => `populate${'[parent][populate]'.repeat(levels - 1)}=parent`,
  'by a path': (levels: number) => `populate=${Array.from({ length: levels }, () => 'parent').join('.')}`,
  'with choices at each level': (levels: number) =>
    Array.from(
      { length: levels },
      (_, level) => `populate${'[parent][populate]'.repeat(level)}[parent][fields]=name`,
    ).join('&'),
} as const

onEachEngine((engine) => {
  let api: ReferenceServer
  let lowest = ''
  before(async () => {
    api = await startReferenceServer(await engine.freshUrl())
    for (let level = LEVELS; level >= 0; level--) {
      const data = { name: `level ${level}`, ...(lowest === '' ? {} : { parent: lowest }) }
      lowest = (await api.send('POST', '/api/categories', { data })).json().data.documentId
    }
  })
  after(() => api?.close())

  interface Category {
    readonly name: string
    readonly parent?: Category | null
  }

  /** The names from the innermost level outwards. */
  const up = ({ name, parent }: Category): string[] => [name, ...(parent ? up(parent) : [])]

  for (const [form, query] of Object.entries(forms)) {
    describe(form, () => {
      for (const levels of [20, 30, 60]) {
        it(`${levels} levels`, async () => {
          const { status, text } = await api.getLongUrl(`/api/categories/${lowest}?${query(levels)}`)
          assert.equal(status, 200, text)
          const expected = Array.from({ length: levels + 1 }, (_, level) => `level ${level}`)
          assert.deepEqual(up(JSON.parse(text).data), expected)
        })
      }
      it('deeper nesting is refused with a message', async () => {
        const { status, json } = await api.getLongUrl(`/api/categories/${lowest}?${query(200)}`)
        assert.equal(status, 400)
        assert.match(json().error.message, /at most|too much|too large/)
      })
    })
  }

  it('queries that no engine can plan are refused with a message, never with a 500', async () => {
    for (const levels of [30, 60, 100, 128]) {
      const path = Array.from({ length: levels }, () => 'children').join('.')
      const { status, text } = await api.send('GET', `/api/categories?populate=${path}&fields=name`)
      assert.ok(status === 200 || (status === 400 && /too much|more than|exceeds a limit/.test(text)), text)
      if (levels <= 60) assert.equal(status, 200)
    }
  })
})
