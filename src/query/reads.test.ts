import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { openWorld, type World } from '../../test/documents/world.ts'
import { onEachEngine } from '../../test/engines.ts'
import { defaults } from '../project/defaults.ts'
import type { Store } from '../store/store.ts'
import { createReads, type Reads } from './reads.ts'
import { systemScope } from './scope.ts'

onEachEngine((engine) => {
  let world: World
  let reads: Reads
  let statements = 0
  let meanwhile = async () => {}

  before(async () => {
    world = await openWorld(engine)
    /** While an answer is waited for, others write. */
    const wait = async () => {
      statements++
      const write = meanwhile
      meanwhile = async () => {}
      await write()
    }
    const slow: Store = {
      ...world.store,
      async read(statement, tables) {
        await wait()
        return world.store.read(statement, tables)
      },
      async readRow(statement, tables) {
        await wait()
        return world.store.readRow(statement, tables)
      },
    }
    reads = createReads(slow, world.layout, defaults)
  })
  after(() => world.close())

  async function tags(query: string) {
    const { data, total } = await reads.list(world.target('tag').type, query, systemScope)
    const labels: string[] = JSON.parse(data).map(({ label }: { label: string }) => label)
    return { labels, total }
  }

  it('a page and its total are of one state, whatever is written while they are waited for', async () => {
    const ids: string[] = []
    for (const label of ['a', 'b', 'c', 'd', 'e', 'f']) ids.push(await world.create('tag', { label }))
    const page = 'pagination[start]=2&pagination[limit]=2'
    const walk = 'pagination[cursor]=start&pagination[pageSize]=2&pagination[withCount]=true'
    for (const query of [page, walk]) await tags(query)
    statements = 0
    assert.deepEqual(await tags(page), { labels: ['c', 'd'], total: 6 })
    assert.equal(statements, 1)

    meanwhile = () => world.remove('tag', ids[0] ?? '')
    assert.deepEqual(await tags(page), { labels: ['d', 'e'], total: 5 })
    assert.equal(statements, 3)
    assert.deepEqual(await tags(page), { labels: ['d', 'e'], total: 5 })

    await tags(walk)
    meanwhile = () => world.remove('tag', ids[1] ?? '')
    assert.deepEqual(await tags(walk), { labels: ['c', 'd'], total: 4 })
  })
})
