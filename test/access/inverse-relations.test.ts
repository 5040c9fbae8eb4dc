/** Rules apply to documents that a write changes from the other side of a relation. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEachEngine } from '../support/engines.ts'
import { serve, type TestServer } from '../support/server.ts'
import { request } from './client.ts'

const FULL = 'full-token-of-the-other-side-0123456789'
const type = (singular: string, attributes: unknown, options: unknown = {}) =>
  [
    `src/api/${singular}/content-types/${singular}/schema.json`,
    {
      kind: 'collectionType',
      info: { singularName: singular, pluralName: `${singular}s`, displayName: singular },
      options,
      attributes,
    },
  ] as const
const relation = (kind: string, target: string, side: Readonly<Record<string, string>>) => ({
  type: 'relation',
  relation: kind,
  target: `api::${target}.${target}`,
  ...side,
})

/** The permissions of tokens on notes; each may also find and update authors. */
const NOTES = {
  mine: ['find', { action: 'update', filters: { title: 'mine' } }],
  // Only notes with an author: removing the author would end the permission.
  authored: ['find', { action: 'update', filters: { author: { name: { $notNull: true } } } }],
  hidden: [{ action: 'find', filters: { title: 'mine' } }],
  reading: ['find'],
}

/** The permissions of tokens on essays. */
const ESSAYS = {
  drafting: ['find', 'create', 'update', '-publish'],
  'publishing-mine': [
    'find',
    'create',
    { action: 'update', filters: {} },
    { action: 'publish', filters: { title: 'mine' } },
  ],
}

type NotesCaller = keyof typeof NOTES
type EssaysCaller = keyof typeof ESSAYS
const tokenOf = (caller: string) => `token-of-a-caller-${caller}-0123456789`

/** One token for each entry, which tells its permissions on one type. */
const tokens = <Entry>(
  entries: Readonly<Record<string, Entry>>,
  permissionsOf: (entry: Entry) => Readonly<Record<string, unknown>>,
) =>
  Object.fromEntries(
    Object.entries(entries).map(([caller, entry]) => [
      caller,
      { type: 'custom', token: tokenOf(caller), permissions: permissionsOf(entry) },
    ]),
  )

const PROJECT = new Map<string, unknown>([
  type('author', {
    name: { type: 'string' },
    notes: relation('oneToMany', 'note', { mappedBy: 'author' }),
    drafts: relation('oneToMany', 'draft', { mappedBy: 'author' }),
    badge: relation('oneToOne', 'badge', { mappedBy: 'author' }),
  }),
  type('note', {
    title: { type: 'string' },
    author: relation('manyToOne', 'author', { inversedBy: 'notes' }),
  }),
  type(
    'draft',
    { title: { type: 'string' }, author: relation('manyToOne', 'author', { inversedBy: 'drafts' }) },
    { draftAndPublish: true },
  ),
  type('badge', {
    title: { type: 'string' },
    author: relation('oneToOne', 'author', { inversedBy: 'badge' }),
  }),
  type(
    'essay',
    { title: { type: 'string' }, stamps: relation('oneToMany', 'stamp', { mappedBy: 'essay' }) },
    { draftAndPublish: true },
  ),
  type('stamp', {
    title: { type: 'string' },
    essay: relation('manyToOne', 'essay', { inversedBy: 'stamps' }),
  }),
  [
    'config/tokens.json',
    {
      full: { type: 'full-access', token: FULL },
      ...tokens(ESSAYS, (essays) => ({ 'api::essay.essay': essays, 'api::stamp.stamp': ['find'] })),
      ...tokens(NOTES, (notes) => ({
        'api::author.author': ['find', 'update', 'create'],
        'api::note.note': notes,
        'api::draft.draft': notes,
        'api::badge.badge': notes,
      })),
    },
  ],
])

onEachEngine((engine) => {
  let running: TestServer
  before(async () => {
    running = await serve(PROJECT, await engine.freshUrl())
  })
  after(() => running?.close())

  const make = async (plural: string, data: unknown) => {
    const made = await request(running.server, 'POST', `/api/${plural}`, { as: FULL, body: { data } })
    assert.equal(made.status, 201, made.text)
    return String(made.at('data', 'documentId'))
  }
  const put = async (caller: NotesCaller, path: string, data: unknown) =>
    (await request(running.server, 'PUT', `/api/${path}`, { as: tokenOf(caller), body: { data } })).status
  const shown = async (path: string) =>
    (await request(running.server, 'GET', `/api/${path}`, { as: FULL })).at('data')
  const authorOf = async (path: string, status = 'published') =>
    (await request(running.server, 'GET', `/api/${path}?populate=author&status=${status}`, { as: FULL })).at(
      'data',
      'author',
      'documentId',
    )

  for (const plural of ['notes', 'drafts'])
    it(`does not remove ${plural} from a list if a rule forbids changing them`, async () => {
      const author = await make('authors', { name: 'A' })
      const locked = await make(plural, { title: 'locked', author })
      const mine = await make(plural, { title: 'mine', author })
      assert.equal(await put('mine', `${plural}/${locked}`, { author: null }), 403)
      const before = await shown(`${plural}/${locked}`)
      for (const value of [{ set: [] }, null, [], { set: [mine] }, [mine]])
        assert.equal(await put('mine', `authors/${author}`, { [plural]: value }), 403, JSON.stringify(value))
      assert.equal(await authorOf(`${plural}/${locked}`), author)
      assert.equal(await authorOf(`${plural}/${locked}`, 'draft'), author)
      assert.deepEqual(await shown(`${plural}/${locked}`), before)
      assert.equal(await put('mine', `authors/${author}`, { [plural]: { disconnect: [mine] } }), 200)
      assert.equal(await authorOf(`${plural}/${mine}`), undefined)
    })

  it('disconnects documents that the rule covers', async () => {
    const author = await make('authors', { name: 'A' })
    const mine = await make('notes', { title: 'mine', author })
    assert.equal(await put('mine', `authors/${author}`, { notes: { set: [] } }), 200)
    assert.equal(await authorOf(`notes/${mine}`), undefined)
  })

  it('does not remove documents that a rule hides from a list', async () => {
    const author = await make('authors', { name: 'A' })
    const hidden = await make('notes', { title: 'hidden', author })
    for (const notes of [null, [], { set: [] }])
      assert.equal(await put('hidden', `authors/${author}`, { notes }), 200, JSON.stringify(notes))
    assert.equal(await authorOf(`notes/${hidden}`), author)
  })

  it('a changed document must still satisfy the rule', async () => {
    const author = await make('authors', { name: 'A' })
    const note = await make('notes', { title: 'any', author })
    for (const notes of [null, { set: [] }, { disconnect: [note] }])
      assert.equal(await put('authored', `authors/${author}`, { notes }), 403, JSON.stringify(notes))
    assert.equal(await put('authored', `notes/${note}`, { author: null }), 403)
    const other = await make('authors', { name: 'B' })
    assert.equal(await put('authored', `authors/${other}`, { notes: [note] }), 200)
    assert.equal(await authorOf(`notes/${note}`), other)
  })

  it('does not displace a protected document from a one-to-one relation, from either side', async () => {
    const [author, other] = [await make('authors', { name: 'A' }), await make('authors', { name: 'B' })]
    const locked = await make('badges', { title: 'locked', author })
    const mine = await make('badges', { title: 'mine', author: other })
    for (const badge of [mine, { connect: [mine] }, { set: [mine] }, null])
      assert.equal(await put('mine', `authors/${author}`, { badge }), 403, JSON.stringify(badge))
    assert.equal(await put('mine', `badges/${mine}`, { author }), 403)
    assert.deepEqual([await authorOf(`badges/${locked}`), await authorOf(`badges/${mine}`)], [author, other])
    const free = await make('badges', { title: 'mine' })
    assert.equal(await put('mine', `badges/${free}`, { author: other }), 200)
    assert.deepEqual([await authorOf(`badges/${free}`), await authorOf(`badges/${mine}`)], [other, undefined])
  })

  it('a draft does not change a relation that has no draft unless its caller may publish', async () => {
    const stamp = await make('stamps', { title: 'blue' })
    const mine = await make('essays', { title: 'mine', stamps: [stamp] })
    const essayOf = () => shown(`stamps/${stamp}?populate=essay`)
    const send = async (caller: EssaysCaller, method: 'POST' | 'PUT', path: string, data: unknown) =>
      (
        await request(running.server, method, `/api/essays${path}?status=draft`, {
          as: tokenOf(caller),
          body: { data },
        })
      ).status
    const before = await essayOf()
    for (const stamps of [[], null, { disconnect: [stamp] }, { set: [] }])
      assert.equal(await send('drafting', 'PUT', `/${mine}`, { stamps }), 403, JSON.stringify(stamps))
    assert.equal(await send('drafting', 'POST', '', { title: 'new', stamps: [stamp] }), 403)
    assert.equal(await send('publishing-mine', 'POST', '', { title: 'new', stamps: [stamp] }), 403)
    assert.deepEqual(await essayOf(), before)
    assert.equal(await send('drafting', 'PUT', `/${mine}`, { title: 'mine' }), 200)
    assert.equal(await send('drafting', 'POST', '', { title: 'new' }), 201)
    assert.equal(await send('publishing-mine', 'PUT', `/${mine}`, { stamps: [] }), 200)
    assert.notDeepEqual(await essayOf(), before)
  })

  it('permission for one side is enough to write a relation if no rule covers the other', async () => {
    const author = await make('authors', { name: 'A' })
    const note = await make('notes', { title: 'any' })
    assert.equal(await put('reading', `authors/${author}`, { notes: { connect: [note] } }), 200)
    assert.equal(await authorOf(`notes/${note}`), author)
    assert.equal(await put('reading', `authors/${author}`, { notes: { set: [] } }), 200)
    assert.equal(await put('reading', `notes/${note}`, { author }), 403)
  })
})
