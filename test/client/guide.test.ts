/** Compiles and runs the program in docs/client.md. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { loadContent } from '../../src/cli/start/demo-content.ts'
import { typescriptOf } from '../../src/cli/typescript/module.ts'
import { createServer, type OctavoServer } from '../../src/http/app.ts'
import { copyProject } from '../support/project-folder.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const run = promisify(execFile)

describe('the program in docs/client.md', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'octavo-client-'))
  const program = path.join(folder, 'program.ts')
  let server: OctavoServer

  before(async () => {
    const project = path.join(folder, 'demo')
    copyProject(path.join(ROOT, 'examples/restaurants'), project)
    server = await createServer({ project, logLevel: 'silent', config: { server: { port: 0 } } })
    await loadContent(server)
    const address = await server.listen()
    const page = readFileSync(path.join(ROOT, 'docs/client.md'), 'utf8')
    const blocks = [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, text]) => text)
    const text = blocks
      .join('\n')
      .replaceAll(`'octavo-client'`, `'${path.relative(folder, path.join(ROOT, 'src/client/index.ts'))}'`)
      .replaceAll('http://127.0.0.1:1337', address)
    writeFileSync(program, `${text}\nexport { card }\n`)
    writeFileSync(path.join(folder, 'schema.ts'), typescriptOf(server.layout().model))
    writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }')
    writeFileSync(
      path.join(folder, 'tsconfig.json'),
      JSON.stringify({
        extends: path.join(ROOT, 'tsconfig.json'),
        compilerOptions: { typeRoots: [path.join(ROOT, 'node_modules/@types')] },
        include: [],
        files: ['program.ts'],
      }),
    )
  })
  after(async () => {
    await server.close()
    rmSync(folder, { recursive: true })
  })

  it('compiles as one program', async () => {
    const { stdout } = await run(path.join(ROOT, 'node_modules/.bin/tsc'), ['-p', folder]).catch(
      (failure: { stdout: string }) => failure,
    )
    assert.equal(stdout, '')
  })

  it('runs from the first block to the last, and prints the expected output', async () => {
    const { stdout } = await run(process.execPath, [program])
    assert.match(stdout, /^Salt & Ember Fish, fire and a view of both\. \/uploads\//)
    assert.match(stdout, /400 ValidationError\nprice /)
  })
})
