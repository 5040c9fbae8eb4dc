/** `octavo export` names what the database has beside its content, and an archive does not contain. */
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { octavo } from '../support/command.ts'
import { onEachEngine } from '../support/engines.ts'
import { collection, openProject, projectFolder, string, typeFile } from '../support/project-server.ts'

const FILES = {
  [typeFile('note')]: collection('note', { text: string }, { options: { draftAndPublish: true } }),
}

onEachEngine((engine) => {
  test('an export names webhooks, schedules and saved states that it leaves out', async (t) => {
    const folder = projectFolder(FILES)
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    const url = await engine.freshUrl()
    const project = ['--project', folder, '--database', url]
    const exported = (...options: readonly string[]) =>
      octavo(['export', path.join(folder, 'all.gz'), '--force', ...options, ...project])

    const running = await openProject(folder, url)
    assert.doesNotMatch((await exported()).err, /Not in the archive/)
    const created = await running.request('POST', '/api/notes?status=draft', { data: { text: 'later' } })
    const scheduled = await running.request(
      'POST',
      `/api/notes/${created.at('data', 'documentId')}/actions/schedule`,
      { data: { publishAt: '2999-01-01T00:00:00.000Z' } },
    )
    assert.equal(scheduled.status, 200, scheduled.text)
    await running.close()
    assert.equal((await octavo(['webhooks', 'add', 'build', 'https://ci.example.test/', ...project])).code, 0)

    const { code, err } = await exported()
    assert.equal(code, 0, err)
    assert.match(
      err,
      /^Not in the archive: 1 webhook, 1 schedule, 1 saved state \(add --history to include them\)$/m,
    )
    assert.match((await exported('--history')).err, /^Not in the archive: 1 webhook, 1 schedule$/m)
  })
})
