import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { refusedPaths } from '../../../test/documents/refused.ts'
import { openTestDatabase, type TestDatabase } from '../../../test/documents/test-database.ts'
import { onEachEngine } from '../../../test/support/engines.ts'

onEachEngine((engine) => {
  let database: TestDatabase
  const tags: string[] = []
  const authors: string[] = []
  before(async () => {
    database = await openTestDatabase(engine)
    for (const label of 'abcdefgh') tags.push(await database.create('tag', { label }))
    for (const name of 'xyz') authors.push(await database.create('author', { name }))
  })
  after(() => database.close())

  const [A, B, C, D, E] = [0, 1, 2, 3, 4]
  const tag = (index: number) => tags[index] ?? ''
  const numeric = async (name: string, id: string, view = {}) =>
    Number((await database.row(name, id, view))?.id)
  const withTags = (...list: number[]) => database.create('article', { title: 'Tagged', tags: list.map(tag) })
  const shown = async (id: string, view = {}) =>
    (await database.related('article', id, 'tags', view)).map((one) => 'abcdefgh'[tags.indexOf(one)]).join('')

  describe('a to-many relation', () => {
    it('accepts a list, set, longhand, shorthand, numeric ids, a bare id, an empty object and null', async () => {
      const numberOfC = await numeric('tag', tag(C))
      const forms: [unknown, string][] = [
        [[tag(C), tag(A)], 'ca'],
        [{ set: [tag(B), { documentId: tag(A) }] }, 'ba'],
        [{ set: { documentId: tag(D) } }, 'd'],
        [[numberOfC, { id: String(numberOfC - 1) }, { documentId: tag(E) }], 'cbe'],
        [tag(D), 'd'],
        [String(numberOfC), 'c'],
        [{ id: numberOfC, status: 'draft', locale: 'en' }, 'c'],
        [{ connect: [tag(B), tag(A)] }, 'ba'],
        [{ connect: { documentId: tag(B) }, disconnect: null }, 'b'],
        [{ disconnect: [tag(A)] }, ''],
        [{ set: null }, ''],
        [[], ''],
        [{}, ''],
        [null, ''],
      ]
      for (const [form, expected] of forms) {
        const id = await database.create('article', { title: 'Forms', tags: form })
        assert.equal(await shown(id), expected, JSON.stringify(form))
        assert.equal(await shown(id, { status: 'draft' }), expected, JSON.stringify(form))
      }
    })

    it('is replaced or changed in part, and stays as it is when nothing is sent', async () => {
      const id = await withTags(A, B, C)
      const put = async (operation: unknown) => {
        await database.update('article', id, { tags: operation })
        return shown(id)
      }
      assert.equal(await put({ connect: [tag(D)] }), 'abcd')
      assert.equal(await put({ connect: [tag(A)] }), 'bcda')
      assert.equal(await put({ disconnect: [tag(C), tag(E)] }), 'bda')
      assert.equal(await put({ connect: [tag(E)], disconnect: [tag(B)] }), 'dae')
      assert.equal(await put({ connect: [tag(D)], disconnect: [tag(D)] }), 'aed')
      assert.equal(await put({ connect: null }), 'aed')
      assert.equal(await put({}), 'aed')
      await database.update('article', id, { views: 1 })
      assert.equal(await shown(id), 'aed')
      assert.equal(await put([tag(E), tag(D)]), 'ed')
    })

    it('connects documents one by one, each at a position in the current list', async () => {
      const id = await withTags(A, B, C)
      await database.update('article', id, {
        tags: {
          connect: [
            { documentId: tag(D), position: { before: tag(B) } },
            { id: await numeric('tag', tag(E)), position: { before: tag(D) } },
            { documentId: tag(5), position: { end: true } },
            { documentId: tag(6) },
            { documentId: tag(7), position: { start: 'true' } },
            { documentId: tag(A), position: { after: await numeric('tag', tag(C)) } },
          ],
        },
      })
      assert.equal(await shown(id), 'hedbcafg')
      assert.equal(await shown(id, { status: 'draft' }), 'hedbcafg')
    })
  })

  describe('an invalid relation', () => {
    it('is refused with its path, and nothing changes', async () => {
      const id = await withTags(A, B)
      const number = await numeric('tag', tag(C))
      const cases: [unknown, string][] = [
        [{ connect: [tag(C), tag(C)] }, 'tags'],
        [{ connect: [tag(C), number] }, 'tags'],
        [[tag(A), tag(A)], 'tags'],
        [{ set: [tag(A), { id: await numeric('tag', tag(A)) }] }, 'tags'],
        [{ set: [tag(A)], connect: [tag(B)] }, 'tags'],
        [{ set: [tag(A)], disconnect: [tag(B)] }, 'tags'],
        [{ connect: ['aaaaaaaaaaaaaaaaaaaaaaaa'] }, 'tags.connect.0'],
        [{ connect: [999999] }, 'tags.connect.0'],
        [{ disconnect: ['aaaaaaaaaaaaaaaaaaaaaaaa'] }, 'tags.disconnect.0'],
        [[authors[0]], 'tags.0'],
        [[tag(A), null], 'tags.1'],
        [true, 'tags'],
        [1.5, 'tags'],
        ['', 'tags'],
        ['a\u0000b', 'tags'],
        ['\ud800', 'tags'],
        ['99999999999999999999', 'tags'],
        [
          { connect: [{ documentId: tag(C), position: { after: '\u0000' } }] },
          'tags.connect.0.position.after',
        ],
        [[{}], 'tags.0'],
        [{ connect: [{ documentId: tag(C), position: {} }] }, 'tags.connect.0.position'],
        [
          { connect: [{ documentId: tag(C), position: { start: true, end: true } }] },
          'tags.connect.0.position',
        ],
        [{ connect: [{ documentId: tag(C), position: { middle: true } }] }, 'tags.connect.0.position'],
        [{ connect: [{ documentId: tag(C), position: { start: false } }] }, 'tags.connect.0.position.start'],
        [
          { connect: [{ documentId: tag(C), position: { before: tag(D) } }] },
          'tags.connect.0.position.before',
        ],
        [
          { connect: [{ documentId: tag(C), position: { after: 'nothing' } }] },
          'tags.connect.0.position.after',
        ],
        [
          { connect: [{ documentId: tag(C), position: { before: tag(D) } }, { documentId: tag(D) }] },
          'tags.connect.0.position.before',
        ],
        [
          { connect: [{ documentId: tag(C), position: { before: tag(A) } }], disconnect: [tag(A)] },
          'tags.connect.0.position.before',
        ],
        [{ set: [{ documentId: tag(C), position: { start: true } }] }, 'tags.set.0.position'],
      ]
      for (const [form, path] of cases) {
        assert.deepEqual(
          await refusedPaths(database.update('article', id, { tags: form })),
          [path],
          JSON.stringify(form),
        )
        assert.equal(await shown(id), 'ab')
      }
    })
  })

  describe('a to-one relation', () => {
    const author = async (id: string, view = {}) =>
      (await database.related('article', id, 'author', view)).join()

    it('accepts every form, and uses the last of several documents', async () => {
      const forms: [unknown, string][] = [
        [authors[0], authors[0] ?? ''],
        [{ id: await numeric('author', authors[1] ?? '') }, authors[1] ?? ''],
        [await numeric('author', authors[1] ?? '', { status: 'draft' }), authors[1] ?? ''],
        [[authors[0], authors[2]], authors[2] ?? ''],
        [{ connect: [authors[0], authors[1]] }, authors[1] ?? ''],
        [{ set: authors[2] }, authors[2] ?? ''],
        [null, ''],
        [{ set: [] }, ''],
      ]
      const id = await database.create('article', { title: 'One', author: authors[0] })
      for (const [form, expected] of forms) {
        await database.update('article', id, { author: form })
        assert.equal(await author(id), expected, JSON.stringify(form))
        assert.equal(await author(id, { status: 'draft' }), expected, JSON.stringify(form))
      }
      await database.update('article', id, { author: authors[0] })
      await database.update('article', id, { author: { disconnect: [authors[1]] } })
      assert.equal(await author(id), authors[0])
      await database.update('article', id, { author: {} })
      assert.equal(await author(id), authors[0])
      await database.update('article', id, { author: { disconnect: [authors[0]] } })
      assert.equal(await author(id), '')
      assert.deepEqual(
        await refusedPaths(database.update('article', id, { author: [authors[0], authors[0]] })),
        ['author'],
      )
    })

    it('accepts a position relative to its current document, and refuses any other anchor', async () => {
      const [x = '', y = '', z = ''] = authors
      const connect = (id: string, documentId: string, position: unknown, more = {}) =>
        database.update('article', id, { author: { connect: [{ documentId, position }], ...more } })
      const accepted: [string, unknown, object?][] = [
        [y, { before: x }],
        [y, { after: await numeric('author', x) }],
        [y, { start: true }],
        [y, { end: true }],
        [y, { before: x }, { disconnect: [y] }],
      ]
      for (const [documentId, position, more] of accepted) {
        const id = await database.create('article', { title: 'One', author: x })
        await connect(id, documentId, position, more)
        assert.equal(await author(id), y, JSON.stringify(position))
      }
      const id = await database.create('article', { title: 'One', author: x })
      const both = [y, { documentId: z, position: { before: y } }]
      await database.update('article', id, { author: { connect: both } })
      assert.equal(await author(id), z)
      const refused: [string, unknown, object?][] = [
        [y, { before: x }],
        [y, { before: y }],
        [y, { before: 'nothing' }],
        [y, { before: z }, { disconnect: [z] }],
      ]
      for (const [documentId, position, more] of refused) {
        const paths = await refusedPaths(connect(id, documentId, position, more))
        assert.deepEqual(paths, ['author.connect.0.position.before'], JSON.stringify(position))
        assert.equal(await author(id), z)
      }
    })

    it('refuses an unknown anchor on the inverse side and in component entries too', async () => {
      const edits = await database.create('article', { title: 'Edited' })
      const other = await database.create('article', { title: 'Other' })
      const person = await database.create('person', { name: 'P', edits: other })
      const connectTo = (before: string) => ({ connect: [{ documentId: edits, position: { before } }] })
      assert.deepEqual(await refusedPaths(database.update('person', person, { edits: connectTo(edits) })), [
        'edits.connect.0.position.before',
      ])
      assert.deepEqual(await database.related('person', person, 'edits'), [other])
      await database.update('person', person, { edits: connectTo(other) })
      await database.update('person', person, { edits: {} })
      assert.deepEqual(await database.related('person', person, 'edits'), [edits])
      const item = { label: 'i', tag: { connect: [{ documentId: tag(A), position: { after: tag(B) } }] } }
      const parts = [{ title: 'p', items: [item] }]
      assert.deepEqual(await refusedPaths(database.create('article', { title: 'Parts', parts })), [
        'parts.0.items.0.tag.connect.0.position.after',
      ])
    })

    it('takes the target of a two-way one-to-one from its former owner, separately for each status', async () => {
      const person = await database.create('person', { name: 'P' })
      const [first, second] = [
        await database.create('article', { title: 'First', editor: person }),
        await database.create('article', { title: 'Second' }),
      ]
      await database.update('article', second, { editor: person }, { status: 'draft' })
      assert.deepEqual(await database.related('article', first, 'editor'), [person])
      assert.deepEqual(await database.related('article', first, 'editor', { status: 'draft' }), [])
      assert.deepEqual(await database.related('person', person, 'edits'), [first])
      assert.deepEqual(await database.related('person', person, 'edits', { status: 'draft' }), [second])
      const revision = (await database.row('article', first))?.revision
      await database.act('publish', 'article', second)
      assert.deepEqual(await database.related('article', first, 'editor'), [])
      assert.deepEqual(await database.related('person', person, 'edits'), [second])
      assert.notEqual((await database.row('article', first))?.revision, revision)
    })
  })

  describe('a polymorphic relation', () => {
    it('needs the type of each document', async () => {
      const dog = await database.create('author', { name: 'dog' })
      const note = await database.create('note', {
        text: 'n',
        subjects: [
          { __type: 'api::tag.tag', id: await numeric('tag', tag(A)) },
          { __type: 'api::author.author', documentId: dog },
        ],
      })
      assert.deepEqual(await database.related('note', note, 'subjects'), [tag(A), dog])
      const types = (await database.edges())
        .filter((edge) => edge.target === dog)
        .map((edge) => edge.target_type)
      assert.deepEqual(types, ['api::author.author'])
      await database.update('note', note, {
        subjects: { connect: [{ __type: 'api::tag.tag', documentId: tag(B), position: { start: true } }] },
      })
      assert.deepEqual(await database.related('note', note, 'subjects'), [tag(B), tag(A), dog])
      assert.deepEqual(await refusedPaths(database.update('note', note, { subjects: [tag(A)] })), [
        'subjects.0.__type',
      ])
      const unknown = { subjects: [{ __type: 'api::no.no', id: 1 }] }
      assert.deepEqual(await refusedPaths(database.update('note', note, unknown)), ['subjects.0.__type'])
    })

    it('needs the type of an anchor only if it differs from that of the connected document', async () => {
      const dog = await database.create('author', { name: 'dog' })
      const subjects = [
        { __type: 'api::tag.tag', documentId: tag(A) },
        { __type: 'api::author.author', documentId: dog },
      ]
      const note = await database.create('note', { subjects })
      const connect = (documentId: string, position: unknown) =>
        database.update('note', note, {
          subjects: { connect: [{ __type: 'api::tag.tag', documentId, position }] },
        })
      await connect(tag(B), { before: dog, __type: 'api::author.author' })
      await connect(tag(C), { before: tag(B) })
      await connect(tag(D), { start: true, __type: 'api::tag.tag' })
      const expected = [tag(D), tag(A), tag(C), tag(B), dog]
      assert.deepEqual(await database.related('note', note, 'subjects'), expected)
      const cases: [unknown, string][] = [
        [{ before: dog, __type: 'nonsense' }, '__type'],
        [{ before: dog, __type: null }, '__type'],
        [{ start: true, __type: 'nonsense' }, '__type'],
        [{ before: dog, __type: 'api::tag.tag' }, 'before'],
        [{ before: dog }, 'before'],
        [{ __type: 'api::tag.tag' }, ''],
      ]
      for (const [position, key] of cases) {
        const path = ['subjects', 'connect', '0', 'position', key].filter(Boolean).join('.')
        assert.deepEqual(await refusedPaths(connect(tag(E), position)), [path], JSON.stringify(position))
        assert.deepEqual(await database.related('note', note, 'subjects'), expected)
      }
    })

    it('can be written from the inverse side', async () => {
      const [note, other] = [
        await database.create('note', { text: '1' }),
        await database.create('note', { text: '2' }),
      ]
      const dog = await database.create('author', { name: 'dog', notes: [other, note] })
      assert.deepEqual(await database.related('author', dog, 'notes'), [other, note])
      assert.deepEqual(await database.related('note', note, 'subjects'), [dog])
      const [edge] = (await database.edges()).filter((one) => one.target === dog)
      assert.equal(edge?.target_type, 'api::author.author')
    })
  })

  describe('a media attribute', () => {
    it('accepts only ids and documentIds of files of the allowed types', async () => {
      const [red, blue, text] = [
        await database.file(),
        await database.file(),
        await database.file('text/plain'),
      ]
      const id = await database.create('article', {
        title: 'Media',
        cover: red.id,
        gallery: [text.documentId, { id: blue.id }],
      })
      const show = async (name: string) => database.related('article', id, name)
      assert.deepEqual(await show('cover'), [red.documentId])
      assert.deepEqual(await show('gallery'), [text.documentId, blue.documentId])
      await database.update('article', id, { cover: [red.id, blue.id], gallery: [blue.id] })
      assert.deepEqual([await show('cover'), await show('gallery')], [[blue.documentId], [blue.documentId]])
      await database.update('article', id, { cover: null, gallery: null })
      assert.deepEqual([await show('cover'), await show('gallery')], [[], []])
      const refused: [unknown, string][] = [
        [text.id, 'cover'],
        ['abc', 'cover'],
        [{}, 'cover'],
        [true, 'cover'],
        [{ connect: [red.id] }, 'cover'],
        [{ disconnect: [red.id] }, 'cover'],
        [{ set: [red.id] }, 'cover'],
        [[999999], 'cover.0'],
      ]
      for (const [form, path] of refused) {
        assert.deepEqual(
          await refusedPaths(database.update('article', id, { cover: form })),
          [path],
          JSON.stringify(form),
        )
      }
    })
  })
})
