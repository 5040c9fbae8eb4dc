/** `octavo import` into project folders that do not exist yet. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { octavo } from '../support/command.ts'
import { entity, packExport, typeSchema } from './packed-export.ts'

const scratch = mkdtempSync(path.join(tmpdir(), 'octavo-folder-'))
after(() => rmSync(scratch, { recursive: true, force: true }))

test('a project folder that does not exist is created, whatever project is around it', async () => {
  const around = path.join(scratch, 'around')
  mkdirSync(around)
  writeFileSync(path.join(around, 'octavo.config.json'), '{ "database": { "url": "sqlite:around.db" } }')
  const archive = path.join(scratch, 'export.tar.gz')
  writeFileSync(
    archive,
    packExport({
      schemas: [typeSchema('page', { title: { type: 'string' } })],
      entities: [entity('api::page.page', 1, { title: 'One' })],
    }),
  )
  const folder = path.join(around, 'site')
  const { code, out, err } = await octavo(['import', archive, '--project', folder])
  assert.equal(code, 0, err)
  assert.match(out, /into sqlite:.*around\/site\/\.octavo\/data\.db/)
  const exported = await octavo(['export', path.join(scratch, 'site.gz'), '--project', folder])
  assert.match(exported.out, /Exported 1 row /)
  const again = await octavo(['import', archive, '--project', folder])
  assert.match(again.err, /has content: 1 row of api::page\.page/)
})
