/** `octavo import` into project folders that do not exist yet, and into those that cannot be written to. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { octavo } from '../support/command.ts'
import { entity, packExport, typeSchema } from './packed-export.ts'

const scratch = mkdtempSync(path.join(tmpdir(), 'octavo-folder-'))
after(() => rmSync(scratch, { recursive: true, force: true }))

const archive = path.join(scratch, 'export.tar.gz')
writeFileSync(
  archive,
  packExport({
    schemas: ['note', 'page'].map((name) => typeSchema(name, { title: { type: 'string' } })),
    entities: [entity('api::page.page', 1, { title: 'One' })],
  }),
)

test('a project folder that does not exist is created, whatever project is around it', async () => {
  const around = path.join(scratch, 'around')
  mkdirSync(around)
  writeFileSync(path.join(around, 'octavo.config.json'), '{ "database": { "url": "sqlite:around.db" } }')
  const folder = path.join(around, 'site')
  const { code, out, err } = await octavo(['import', archive, '--project', folder])
  assert.equal(code, 0, err)
  assert.match(out, /into sqlite:.*around\/site\/\.octavo\/data\.db/)
  const exported = await octavo(['export', path.join(scratch, 'site.gz'), '--project', folder])
  assert.match(exported.out, /Exported 1 row /)
  const again = await octavo(['import', archive, '--project', folder])
  assert.match(again.err, /has content: 1 row of api::page\.page/)
})

test('a schema file that cannot be written is named, and none is left behind', async () => {
  const folder = path.join(scratch, 'blocked')
  mkdirSync(path.join(folder, 'src/api'), { recursive: true })
  writeFileSync(path.join(folder, 'src/api/page'), 'a file in the place of a folder')
  const { code, err } = await octavo(['import', archive, '--project', folder])
  assert.equal(code, 1)
  assert.match(err, /^Cannot write .*src\/api\/page\/content-types\/page\/schema\.json: /m)
  assert.deepEqual(readdirSync(folder, { recursive: true }).sort(), ['src', 'src/api', 'src/api/page'])
})
