/** The names that statements give to their parts must not hide the tables of content-types. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { onEachEngine } from '../support/engines.ts'
import {
  collection,
  openProject,
  type ProjectServer,
  projectFolder,
  typeFile,
} from '../support/project-server.ts'

/** The singular names of types whose tables are called like parts of statements. */
const NAMES = ['candidate', 'found', 'n', 'page', 'part', 's', 't0', 'v', 'word']
const tableOf = (name: string) => (name === 'candidate' ? 'candidates' : name)

const typeNamed = (name: string) =>
  collection(
    name,
    {
      title: { type: 'string' },
      others: {
        type: 'relation',
        relation: 'manyToMany',
        target: `api::${name}.${name}`,
        inversedBy: 'owners',
      },
      owners: {
        type: 'relation',
        relation: 'manyToMany',
        target: `api::${name}.${name}`,
        mappedBy: 'others',
      },
    },
    { collectionName: tableOf(name), options: { draftAndPublish: true, search: true } },
  )

onEachEngine((engine) => {
  describe('a content-type whose table is called like a part of a statement', () => {
    let project: ProjectServer
    before(async () => {
      const files = NAMES.map((name) => [typeFile(name), typeNamed(name)] as const)
      project = await openProject(projectFolder(Object.fromEntries(files)), await engine.freshUrl())
    })
    after(() => project?.close())

    for (const name of NAMES)
      it(`is written and read as any other: ${tableOf(name)}`, async () => {
        const path = `/api/${name}s`
        const first = await project.request('POST', path, { data: { title: 'first harbour' } })
        const target = first.at('data', 'documentId')
        assert.equal(first.status, 201)
        const second = await project.request('POST', path, {
          data: { title: 'second harbour', others: [target] },
        })
        assert.equal(second.status, 201)
        const changed = await project.request('PUT', `${path}/${second.at('data', 'documentId')}`, {
          data: { title: 'second quay harbour', others: { connect: [target] } },
        })
        assert.equal(changed.status, 200)
        for (const query of [
          'populate=others',
          'populate=others&sort=title',
          '_q=harbour&populate=others',
          '_q=harbour&sort=title&populate=others',
          'filters[title][$containsi]=HARBOUR&populate=others&sort=title',
        ]) {
          const { status, at } = await project.request('GET', `${path}?${query}`)
          assert.equal(status, 200, query)
          assert.equal(at('meta', 'pagination', 'total'), 2, query)
          assert.equal(at('data', 0, 'title'), 'first harbour', query)
          assert.deepEqual(at('data', 0, 'others'), [], query)
          assert.equal(at('data', 1, 'others', 0, 'documentId'), target, query)
        }
        const removed = await project.request('DELETE', `${path}/${target}`)
        assert.equal(removed.status, 204)
      })
  })
})
