/** A migration whose process is killed changes nothing, and the next one applies everything. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { it } from 'node:test'
import { octavo } from '../support/command.ts'
import { onEachEngine } from '../support/engines.ts'
import { writeFiles } from '../support/project-folder.ts'
import { collection, openProject, projectFolder, string, typeFile } from '../support/project-server.ts'
import { dumpDatabase, withDatabase } from './migrated-project.ts'

const SCRIPT = new URL('./kill-during-migration.ts', import.meta.url).pathname
const tag = { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' }

const BEFORE = {
  [typeFile('tag')]: collection('tag', { label: string }),
  [typeFile('note')]: collection('note', { text: string, pages: string, gone: string, tags: tag }),
}

/** A rename, a conversion, a drop with a backup, a new attribute, drafts and locales in one migration. */
const AFTER = {
  [typeFile('note')]: collection(
    'note',
    {
      words: { ...string, renamedFrom: 'text', pluginOptions: { i18n: { localized: true } } },
      pages: { type: 'integer' },
      fresh: string,
      labels: { ...tag, renamedFrom: 'tags' },
    },
    { options: { draftAndPublish: true }, pluginOptions: { i18n: { localized: true } } },
  ),
}

onEachEngine((engine) => {
  it('a killed migration leaves the database unchanged at any statement, and the next one completes', async (t) => {
    const folder = projectFolder(BEFORE)
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    const url = await engine.freshUrl()
    const project = await openProject(folder, url)
    const ids: string[] = []
    for (const label of ['a', 'b']) {
      const made = await project.request('POST', '/api/tags', { data: { label } })
      ids.push(String(made.at('data', 'documentId')))
    }
    for (let number = 0; number < 20; number++) {
      const data = { text: `text ${number}`, pages: String(number), gone: `kept ${number}`, tags: ids }
      await project.request('POST', '/api/notes', { data })
    }
    await project.close()
    writeFiles(folder, AFTER)

    const before = await withDatabase(url, dumpDatabase)
    for (const statement of ['1', '10', '30', '1000000']) {
      const migration = spawn(process.execPath, [SCRIPT, folder, url, statement], { stdio: 'inherit' })
      assert.deepEqual(await once(migration, 'exit'), [null, 'SIGKILL'], `statement ${statement}`)
      assert.equal(await withDatabase(url, dumpDatabase), before, `killed before statement ${statement}`)
    }

    const migrated = await octavo(['migrate', '--confirm', '--project', folder, '--database', url])
    assert.equal(migrated.code, 0, migrated.err)
    const after = await openProject(folder, url)
    try {
      for (const status of ['draft', 'published']) {
        const query = `status=${status}&populate=labels&pagination[limit]=50`
        const list = (await after.request('GET', `/api/notes?${query}`)).at('data')
        assert.ok(Array.isArray(list))
        assert.deepEqual(
          list.map(({ words, pages, fresh, labels, locale }) => [words, pages, fresh, labels.length, locale]),
          Array.from({ length: 20 }, (_, number) => [`text ${number}`, number, null, 2, 'en']),
        )
      }
    } finally {
      await after.close()
    }
    const backups = await octavo(['migrate', '--sweep', '--project', folder, '--database', url])
    assert.match(backups.out, /api::note\.note, attribute gone/)
  })
})
