/** New documents stand last in the lists of documents that a migration or an import has stored. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, it } from 'node:test'
import { compile } from '../../src/store/compile.ts'
import { openStore } from '../../src/store/open.ts'
import { type Sql, sql } from '../../src/store/sql.ts'
import { octavo } from '../support/command.ts'
import { onEachEngineVersion } from '../support/engines.ts'
import { collection, openProject, projectFolder, string, typeFile } from '../support/project-server.ts'

const related = (target: string, more: object) => ({
  type: 'relation',
  relation: 'manyToMany',
  target: `api::${target}.${target}`,
  ...more,
})

const files = {
  [typeFile('book')]: collection('book', {
    title: string,
    shelves: related('shelf', { inversedBy: 'books' }),
  }),
  [typeFile('shelf')]: collection('shelf', {
    label: string,
    books: related('book', { mappedBy: 'shelves' }),
  }),
}

onEachEngineVersion((engine) => {
  describe('a document that is added to a list', () => {
    /** Creates a shelf with two books whose positions are these, and changes the database. */
    async function storeShelf(positions: readonly [number, number], ...change: readonly Sql[]) {
      const folder = projectFolder(files)
      const url = await engine.freshUrl()
      const project = await openProject(folder, url)
      const create = async (name: string, data: object) =>
        String((await project.request('POST', `/api/${name}`, { data })).at('data', 'documentId'))
      const shelf = await create('shelfs', { label: 'first' })
      for (const title of ['one', 'two']) await create('books', { title, shelves: [shelf] })
      await project.close()
      const store = await openStore(url)
      await store.write(async (transaction) => {
        const run = (query: Sql) => transaction.run(compile(engine.dialect, query))
        for (const [index, position] of positions.entries())
          run(sql`UPDATE octavo_edges SET inverse_position = ${position}
            WHERE source IN (SELECT id FROM books WHERE a_title = ${['one', 'two'][index] ?? ''})`)
        for (const query of change) run(query)
      })
      await store.close()
      return { folder, url, shelf }
    }

    async function titlesAfterAddition(folder: string, url: string, shelf: string) {
      const project = await openProject(folder, url)
      try {
        await project.request('POST', '/api/books', { data: { title: 'new', shelves: [shelf] } })
        const { at } = await project.request('GET', `/api/shelfs/${shelf}?populate=books`)
        return [0, 1, 2].map((index) => at('data', 'books', index, 'title'))
      } finally {
        await project.close()
      }
    }

    const olderFormat = [
      sql`UPDATE octavo_meta SET value = '4' WHERE key = 'format'`,
      sql`UPDATE octavo_meta SET value = 'of format 4' WHERE key = 'signature'`,
      ...(engine.dialect.nextPosition ? [sql`DROP SEQUENCE octavo_positions`] : []),
    ]

    it('stands last in one of storage format 4', async () => {
      const { folder, url, shelf } = await storeShelf([1000.5, 900], ...olderFormat)
      assert.deepEqual(await titlesAfterAddition(folder, url, shelf), ['two', 'one', 'new'])
    })

    for (const highest of [50.5, 3_000_000])
      it(`stands last in one that was imported with the position ${highest}`, async () => {
        const { folder, url, shelf } = await storeShelf([highest, 20])
        const place = mkdtempSync(path.join(tmpdir(), 'octavo-positions-'))
        const archive = path.join(place, 'archive.gz')
        const on = (database: string) => ['--project', folder, '--database', database]
        const target = await engine.freshUrl()
        try {
          for (const args of [
            ['export', archive, ...on(url)],
            ['import', archive, ...on(target)],
          ]) {
            const ended = await octavo(args)
            assert.equal(ended.code, 0, ended.err)
          }
        } finally {
          rmSync(place, { recursive: true })
        }
        assert.deepEqual(await titlesAfterAddition(folder, target, shelf), ['two', 'one', 'new'])
      })
  })
})
