/** `octavo export --history` and `octavo import --history`, and `octavo history purge`. */
import assert from 'node:assert/strict'
import path from 'node:path'
import { it } from 'node:test'
import { octavo } from '../support/command.ts'
import { bothEngines } from '../support/engines.ts'
import {
  collection,
  openProject,
  type ProjectServer,
  projectFolder,
  string,
  typeFile,
} from '../support/project-server.ts'

const FILES = {
  [typeFile('tag')]: collection('tag', { label: string }),
  [typeFile('page')]: collection(
    'page',
    { title: string, tags: { type: 'relation', relation: 'oneToMany', target: 'api::tag.tag' } },
    { options: { draftAndPublish: true } },
  ),
}

const [sqlite, postgres] = bothEngines()

for (const [from, to] of [
  [sqlite, postgres],
  [postgres, sqlite],
] as const)
  it(`history moves from ${from.name} to ${to.name} with --history`, async () => {
    const folder = projectFolder(FILES)
    const [source, target] = [await from.freshUrl(), await to.freshUrl()]
    const archive = path.join(folder, 'backup.octavo.jsonl.gz')
    const run = (...args: string[]) => octavo([...args, '--project', folder])

    const post = async (server: ProjectServer, url: string, data: object) =>
      String((await server.request('POST', url, { data })).at('data', 'documentId'))
    const first = await openProject(folder, source)
    const tag = await post(first, '/api/tags', { label: 'tag' })
    const page = await post(first, '/api/pages', { title: 'One', tags: [tag] })
    await first.request('PUT', `/api/pages/${page}?status=draft`, { data: { title: 'Two', tags: [] } })
    const statesOf = async (server: ProjectServer) => {
      const list = await server.request('GET', `/api/pages/${page}/history`)
      const version = list.at('data', 1, 'version')
      return [
        list.text,
        (await server.request('GET', `/api/pages/${page}/history/${version}?populate=*`)).text,
      ]
    }
    const before = await statesOf(first)
    assert.match(before[1] ?? '', /"title":"One".*"label":"tag"/)
    await first.close()
    assert.equal((await run('export', archive, '--history', '--database', source)).code, 0)
    assert.equal((await run('import', archive, '--history', '--database', target)).code, 0)
    const second = await openProject(folder, target)
    try {
      assert.deepEqual(await statesOf(second), before)
      await second.request('PUT', `/api/pages/${page}`, { data: { title: 'Three' } })
      assert.equal(
        (await second.request('GET', `/api/pages/${page}/history`)).at('meta', 'pagination', 'total'),
        3,
      )
      const counted = await run('history', 'purge', '--document', page, '--database', target)
      assert.match(counted.out, /This deletes 3 saved states/)
      const deleted = await run('history', 'purge', '--document', page, '--confirm', '--database', target)
      assert.match(deleted.out, /Deleted 3 saved states/)
      assert.equal(
        (await second.request('GET', `/api/pages/${page}/history`)).at('meta', 'pagination', 'total'),
        0,
      )
    } finally {
      await second.remove()
    }
  })
