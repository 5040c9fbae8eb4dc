/** The command `octavo migrate`. */
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { octavo } from '../support/command.ts'
import { onEachEngine } from '../support/engines.ts'
import { writeFiles } from '../support/project-folder.ts'
import { collection, openProject, projectFolder, string, typeFile } from '../support/project-server.ts'

onEachEngine((engine) => {
  it('shows a plan, refuses to delete content without --confirm, and purges backups', async (t) => {
    const folder = projectFolder({ [typeFile('note')]: collection('note', { text: string, code: string }) })
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    const url = await engine.freshUrl()
    const migrate = (...args: string[]) =>
      octavo(['migrate', '--project', folder, '--database', url, ...args])

    const first = await migrate('--plan')
    assert.match(first.out, /api::note.note: new content-type in table notes/)
    assert.match(first.out, /Nothing was changed. Apply with: npm run octavo -- migrate --project .*\n/)
    assert.equal((await migrate('--plan')).out, first.out, 'a plan changes nothing')
    assert.equal((await migrate()).code, 0)
    assert.equal((await migrate('--sweep')).out, 'There are no backups.\n')
    assert.match((await migrate('--plan')).out, /up to date/)

    const project = await openProject(folder, url)
    const made = await project.request('POST', '/api/notes', { data: { text: 'a', code: 'c' } })
    const id = String(made.at('data', 'documentId'))
    await project.close()

    writeFiles(folder, {
      [typeFile('note')]: collection('note', { text: { ...string, required: true }, pages: string }),
    })
    const plan = await migrate('--plan')
    assert.equal(plan.code, 0, plan.err)
    assert.match(
      plan.out,
      new RegExp(
        `attribute code: deleted; content of 1 document \\(${id}\\) is moved to a backup  \\[needs --confirm\\]`,
      ),
    )
    assert.match(plan.out, /\n {4}If code was renamed to pages, add "renamedFrom": "code" to pages/)
    assert.match(plan.out, /attribute pages: added as string \(1 row\)/)
    assert.match(plan.out, /npm run octavo -- migrate --confirm --project .*\n$/)
    const refused = await migrate()
    assert.equal(refused.code, 1)
    assert.match(refused.err, /attribute code: deleted/)
    assert.doesNotMatch(refused.err, /\n\s+at /)
    assert.equal((await migrate('--plan', '--confirm')).code, 1)
    const confirmed = await migrate('--confirm')
    assert.equal(confirmed.code, 0, confirmed.err)
    assert.match(confirmed.out, /attribute pages: added as string/)

    const listed = await migrate('--sweep')
    assert.match(listed.out, /api::note.note, attribute code {2}\(notes\.was_code_\d+\)/)
    assert.match(listed.out, /npm run octavo -- migrate --sweep --confirm --project/)
    assert.match((await migrate('--sweep', '--confirm')).out, /Deleted 1 backup permanently/)
    assert.equal((await migrate('--sweep')).out, 'There are no backups.\n')
    const after = await openProject(folder, url)
    assert.equal((await after.request('GET', `/api/notes/${id}`)).at('data', 'text'), 'a')
    await after.close()
  })

  it('a server does not start with schema files that would delete content, and says what to do', async (t) => {
    const folder = projectFolder({ [typeFile('note')]: collection('note', { text: string }) })
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    const url = await engine.freshUrl()
    const project = await openProject(folder, url)
    await project.request('POST', '/api/notes', { data: { text: 'a' } })
    await project.close()
    writeFiles(folder, { [typeFile('note')]: collection('note', {}) })
    for (const production of [true, false])
      await assert.rejects(
        openProject(folder, url, { production }),
        /attribute text: deleted.*npm run octavo -- migrate --confirm/s,
      )
    writeFiles(folder, {
      [typeFile('note')]: null,
      [typeFile('memo')]: { ...collection('memo', { text: string }), renamedFrom: 'note' },
    })
    const renamed = await openProject(folder, url, { production: true })
    assert.equal((await renamed.request('GET', '/api/memos')).at('data', 0, 'text'), 'a')
    await renamed.close()
  })

  it('reports existing content that blocks a migration, and changes nothing even with --confirm', async (t) => {
    const folder = projectFolder({ [typeFile('note')]: collection('note', { text: string }) })
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    const url = await engine.freshUrl()
    const place = ['--project', folder, '--database', url]
    const project = await openProject(folder, url)
    for (const text of ['same', 'same', 'other'])
      await project.request('POST', '/api/notes', { data: { text } })
    const before = await project.request('GET', '/api/notes')
    const ids = [0, 1].map((index) => String(before.at('data', index, 'documentId'))).sort()
    await project.close()

    const unique = collection('note', { text: { ...string, unique: true } })
    writeFiles(folder, { [typeFile('note')]: unique })
    const blocked = new RegExp(
      `becomes unique; blocked because 2 documents \\(${ids.join(', ')}\\) share a value`,
    )
    for (const args of [
      ['migrate'],
      ['migrate', '--confirm'],
      ['start', '--port', '0'],
      ['dev', '--port', '0'],
    ]) {
      const ended = await octavo([...args, ...place])
      assert.equal(ended.code, 1)
      assert.match(ended.err, blocked)
      assert.match(ended.err, /Change these documents or the schema files.*npm run octavo -- migrate --plan/)
      assert.doesNotMatch(ended.err, /\n\s+at /)
    }
    const doctor = await octavo(['doctor', ...place])
    assert.equal(doctor.code, 1)
    assert.match(doctor.out, blocked)

    writeFiles(folder, { [typeFile('note')]: collection('note', { text: string }) })
    const after = await openProject(folder, url)
    assert.equal((await after.request('GET', '/api/notes')).text, before.text)
    await after.close()
  })

  it('export, media and admin commands use the stored model and need no migration', async (t) => {
    const folder = projectFolder({ [typeFile('note')]: collection('note', { text: string, code: string }) })
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    const url = await engine.freshUrl()
    const place = ['--project', folder, '--database', url]
    const project = await openProject(folder, url)
    await project.request('POST', '/api/notes', { data: { text: 'a', code: 'to be kept' } })
    const before = await project.request('GET', '/api/notes')
    await project.close()

    writeFiles(folder, { [typeFile('note')]: collection('note', { text: string, pages: string }) })
    const archive = join(folder, 'saved.octavo.jsonl.gz')
    for (const args of [
      ['export', archive],
      ['media', 'unused'],
      ['media', 'sweep'],
      ['admin', 'list'],
    ]) {
      const ended = await octavo([...args, ...place])
      assert.equal(ended.code, 0, ended.err)
    }
    const plan = await octavo(['migrate', '--plan', ...place])
    assert.match(plan.out, /attribute pages: added as string/)
    assert.match(plan.out, /attribute code: deleted/)

    writeFiles(folder, { [typeFile('note')]: collection('note', { text: string, code: string }) })
    const other = await engine.freshUrl()
    const imported = await octavo(['import', archive, '--project', folder, '--database', other])
    assert.equal(imported.code, 0, imported.err)
    const after = await openProject(folder, other)
    assert.equal((await after.request('GET', '/api/notes')).text, before.text)
    await after.close()
  })
})
