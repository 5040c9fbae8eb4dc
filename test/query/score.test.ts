/** `sort=_score` ranks the results of a search: the best matches first, in the same order on both engines. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEachEngineVersion } from '../support/engines.ts'
import { encodedPath, sendRequest } from '../support/http-request.ts'
import { jsonAt } from '../support/json-body.ts'
import {
  collection,
  openProject,
  type ProjectServer,
  projectFolder,
  typeFile,
} from '../support/project-server.ts'

const attributes = {
  name: { type: 'string' },
  title: { type: 'string' },
  body: { type: 'richtext' },
  year: { type: 'integer' },
  secret: { type: 'string', private: true },
  aside: { type: 'string', searchable: false },
  mentor: { type: 'relation', relation: 'manyToOne', target: 'api::note.note' },
}

const filler = (length: number) => 'plain words '.repeat(Math.ceil(length / 12)).slice(0, length)

const NOTES = [
  { name: 'inside a word', title: 'The heart' },
  { name: 'far in a long body', title: 'Notes', body: `${filler(2_000)} art` },
  { name: 'near in a short body', title: 'Notes', body: 'On art' },
  { name: 'often in a short body', title: 'Notes', body: 'On art, art and art' },
  { name: 'first in a title', title: 'Art of the fugue' },
  { name: 'whole title', title: 'ART' },
  { name: 'whole title and body', title: 'Art', body: 'About art' },
  { name: 'only private', title: 'Notes', secret: 'art', aside: 'art' },
  { name: 'more in private', title: 'Heartlands of the world', secret: 'art', aside: 'art' },
  { name: 'the year', year: 1984 },
  { name: 'the year in text', title: 'Summer 1984' },
  { name: 'other letters', title: 'ÉTÉ été Été' },
  { name: 'fewer letters', title: 'un ÉTÉ à la mer' },
]

onEachEngineVersion((engine) => {
  for (const search of [false, true]) {
    const variant = search ? 'with a search index' : 'without a search index'
    let project: ProjectServer
    let admin: string

    before(async () => {
      const note = collection('note', attributes, { options: { search } })
      project = await openProject(projectFolder({ [typeFile('note')]: note }), await engine.freshUrl())
      admin = (await project.server.access.tokens.create({ name: 'admin', kind: 'admin' })).secret
      for (const data of NOTES) {
        const { status, text } = await project.request('POST', '/api/notes', { data })
        assert.equal(status, 201, text)
      }
    })
    after(() => project?.remove())

    const found = async (query: string): Promise<string[]> => {
      const { status, text, at } = await project.request('GET', `/api/notes?${query}`)
      assert.equal(status, 200, text)
      const data = at('data')
      assert.ok(Array.isArray(data))
      return data.map(({ name }) => name)
    }

    const RANKED = [
      'whole title and body',
      'whole title',
      'first in a title',
      'often in a short body',
      'near in a short body',
      'far in a long body',
      'inside a word',
      'more in private',
    ]

    it(`ranks whole values, then starts of values, then words, then the rest, ${variant}`, async () => {
      assert.deepEqual(await found('_q=art&sort=_score'), RANKED)
      assert.deepEqual(await found('_q=1984&sort=_score'), ['the year', 'the year in text'])
      assert.deepEqual(await found('_q=%C3%89t%C3%A9&sort=_score'), ['other letters', 'fewer letters'])
    })

    it(`ranks what the same search finds, ${variant}`, async () => {
      for (const text of ['art', 'notes', 'a', '1984', 'no such text'])
        assert.deepEqual(
          (await found(`_q=${text}&sort=_score`)).toSorted(),
          (await found(`_q=${text}`)).toSorted(),
          text,
        )
    })

    it(`takes a direction and further terms, and orders ties by id, ${variant}`, async () => {
      assert.deepEqual(await found('_q=art&sort=_score:desc'), RANKED)
      assert.deepEqual(await found('_q=art&sort[_score]=desc'), RANKED)
      const ascending = await found('_q=art&sort=_score:asc')
      assert.deepEqual(ascending, RANKED.toReversed())
      assert.deepEqual(await found('_q=notes&sort=_score'), await found('_q=notes'))
      assert.deepEqual(await found('_q=notes&sort=_score,name:desc'), [
        'only private',
        'often in a short body',
        'near in a short body',
        'far in a long body',
      ])
      assert.deepEqual(await found('_q=notes&sort=name,_score'), (await found('_q=notes')).toSorted())
    })

    it(`pages through a ranked list by number, by offset and by cursor, ${variant}`, async () => {
      const ranked = '_q=art&sort=_score,name&fields=name'
      const expected = await found(ranked)
      const pages = [1, 2, 3].map((page) =>
        found(`${ranked}&pagination[page]=${page}&pagination[pageSize]=3`),
      )
      assert.deepEqual((await Promise.all(pages)).flat(), expected)
      assert.deepEqual(await found(`${ranked}&pagination[start]=2&pagination[limit]=3`), expected.slice(2, 5))

      const names: string[] = []
      for (let cursor: unknown = 'start'; typeof cursor === 'string'; ) {
        const path = `/api/notes?${ranked}&pagination[cursor]=${cursor}&pagination[pageSize]=3`
        const { text, at } = await project.request('GET', path)
        const data = at('data')
        assert.ok(Array.isArray(data), text)
        names.push(...data.map(({ name }) => name))
        cursor = at('meta', 'pagination', 'nextCursor')
      }
      assert.deepEqual(names, expected)
    })

    it(`explains a ranked search, and suggests no index for its order, ${variant}`, async () => {
      const headers = { authorization: `Bearer ${admin}` }
      const path = encodedPath('/api/notes?_q=heartland&sort=_score&explain=true')
      const { status, text } = await sendRequest(project.server, 'GET', path, headers)
      assert.equal(status, 200, text)
      const at = jsonAt(text)
      assert.deepEqual(at('data', 'indexes', 'suggested'), [])
      assert.match(text, /api::note.note: documents are sorted by how well they match the search/)
    })
  }

  it('refuses a score without a search, in another place or with another order', async () => {
    const project = await openProject(
      projectFolder({ [typeFile('note')]: collection('note', attributes) }),
      await engine.freshUrl(),
    )
    const refused = async (query: string, message: RegExp) => {
      const { status, text } = await project.request('GET', `/api/notes?${query}`)
      assert.equal(status, 400, text)
      assert.match(text, message)
    }
    const noSearch = /Invalid sort at _score: documents have a score only in a search; add _q/
    for (const query of ['sort=_score', 'sort=_score&_q=', 'sort=name,_score:asc', 'sort[_score]=desc'])
      await refused(query, noSearch)
    await refused('sort=_score:best&_q=a', /the order must be asc or desc, not \\"best\\"/)
    await refused('sort=mentor._score&_q=a', /Invalid key _score/)
    await refused('sort=_score.name&_q=a', /Invalid key _score/)
    await refused('filters[_score]=1&_q=a', /Invalid key _score/)
    await refused('fields=_score&_q=a', /Invalid key _score/)
    await refused('populate[mentor][sort]=_score&_q=a', /Invalid key _score/)
    await project.remove()
  })
})
