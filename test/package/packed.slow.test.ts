/**
 * The package as it is published works in a folder of its own, without this repository: it is built, packed by npm and
 * unpacked beside links to its dependencies, which spares the test a download.
 */
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
import { copySwaggerUi } from '../../scripts/copy-swagger-ui.ts'
import { trackProcess } from '../support/command.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const scratch = mkdtempSync(path.join(tmpdir(), 'octavo-package-'))
const modules = path.join(scratch, 'node_modules')
const installed = path.join(modules, 'octavo')
const manifest: { dependencies: Record<string, string>; engines: { node: string }; files: string[] } =
  JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'))

const node = (...args: readonly string[]) =>
  execFileSync(process.execPath, args, {
    cwd: scratch,
    encoding: 'utf8',
    env: { ...process.env, NODE_ENV: '' },
  })

/** Builds like the `build` script, but beside the checkout, whose own build others may be using. */
function pack(): void {
  const source = path.join(scratch, 'source')
  mkdirSync(source)
  for (const name of [
    'package.json',
    ...manifest.files.filter((name) => name !== 'dist' && !name.startsWith('!')),
  ])
    cpSync(path.join(ROOT, name), path.join(source, name), { recursive: true })
  const compiler = path.join(ROOT, 'node_modules/typescript/bin/tsc')
  node(compiler, '-p', path.join(ROOT, 'tsconfig.build.json'), '--outDir', path.join(source, 'dist'))
  copySwaggerUi(path.join(source, 'dist'))
  // The test command has built it.
  cpSync(path.join(ROOT, 'dist/admin'), path.join(source, 'dist/admin'), { recursive: true })
  const npm = ['pack', '--silent', '--ignore-scripts', '--pack-destination', scratch]
  const archive = execFileSync('npm', npm, { cwd: source, encoding: 'utf8' }).trim()
  mkdirSync(installed, { recursive: true })
  execFileSync('tar', ['-xzf', path.join(scratch, archive), '-C', installed, '--strip-components=1'])
}

/** Only what the package itself names: a dependency that it forgot would be missing. */
function linkDependencies(): void {
  for (const name of Object.keys(manifest.dependencies)) {
    const link = path.join(modules, name)
    mkdirSync(path.dirname(link), { recursive: true })
    symlinkSync(path.join(ROOT, 'node_modules', name), link)
  }
}

describe('the packed package', () => {
  before(() => {
    pack()
    linkDependencies()
  })
  after(() => rmSync(scratch, { recursive: true, force: true }))

  it('has the program, the guides that the README links to, and no source, test or development file', () => {
    assert.ok(existsSync(path.join(installed, 'dist/cli/octavo.js')))
    assert.ok(existsSync(path.join(installed, 'dist/admin/index.html')))
    for (const name of ['src', 'test', 'bench', 'tsconfig.json'])
      assert.ok(!existsSync(path.join(installed, name)))
    const readme = readFileSync(path.join(installed, 'README.md'), 'utf8')
    const links = [...readme.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, link = '']) => link)
    const broken = links.filter((link) => !existsSync(path.join(installed, link)))
    assert.deepEqual(broken, [])
  })

  it('creates a project, serves it with the admin app and the API reference, and reads it with the client', async () => {
    const command = path.join(installed, 'bin/octavo.js')
    const printed = node(command, 'new', 'site', '--yes')
    assert.match(printed, /cd site && npm install && npm run dev/)
    const token = /for-development-only-[\w-]+/.exec(printed)?.[0] ?? ''
    for (const mode of ['dev', 'start']) {
      const args = [command, mode, '--port', '0']
      const server = trackProcess(spawn(process.execPath, args, { cwd: path.join(scratch, 'site') }))
      try {
        const base = await server.address()
        for (const page of [
          '/',
          '/docs',
          '/docs/swagger-ui.js',
          '/admin',
          '/api/articles',
          '/api/openapi.json',
        ])
          assert.equal((await fetch(base + page)).status, 200, `${mode} ${page}`)
        const program = `
          import { createClient } from 'octavo/client'
          const client = createClient({ url: '${base}', token: '${token}' })
          await client.create('articles', { title: 'Written with the client' })
          console.log((await client.find('articles')).data.at(-1).title)`
        const file = path.join(scratch, 'program.mjs')
        writeFileSync(file, program)
        assert.equal(node(file).trim(), 'Written with the client')
      } finally {
        assert.equal(await server.stop(), 0, server.output())
      }
    }
  })

  it('is started by create-octavo, which passes its options on', () => {
    const create = path.join(scratch, 'node_modules/create-octavo')
    cpSync(path.join(ROOT, 'packages/create-octavo'), create, { recursive: true })
    const printed = node(path.join(create, 'create.js'), 'made', '--yes', '--no-start', '--locales', 'en,fr')
    assert.match(printed, /Created made in/)
    assert.match(readFileSync(path.join(scratch, 'made/octavo.config.ts'), 'utf8'), /\['en', 'fr'\]/)
    const read = (folder: string) => JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
    assert.equal(read(create).version, read(installed).version, 'both packages are released together')
    for (const folder of [create, path.join(scratch, 'made')])
      assert.deepEqual(read(folder).engines, manifest.engines, 'both need the same Node')
  })
})
