/**
 * The package as it is published works in a folder of its own, without this repository: it is built, packed by npm and
 * installed by the script of the Dockerfile, from a registry on this machine.
 */
import assert from 'node:assert/strict'
import { execFile, execFileSync, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { copySwaggerUi } from '../../scripts/copy-swagger-ui.ts'
import { trackProcess } from '../support/command.ts'
import { startRegistry } from '../support/npm-registry.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const scratch = mkdtempSync(path.join(tmpdir(), 'octavo-package-'))
const app = path.join(scratch, 'octavo')
const installed = path.join(app, 'node_modules/octavo')
const command = path.join(installed, 'bin/octavo.js')
const dockerfile = readFileSync(path.join(ROOT, 'Dockerfile'), 'utf8')
const manifest: { engines: { node: string }; files: string[] } = JSON.parse(
  readFileSync(path.join(ROOT, 'package.json'), 'utf8'),
)

const node = (...args: readonly string[]) =>
  execFileSync(process.execPath, args, { cwd: app, encoding: 'utf8', env: { ...process.env, NODE_ENV: '' } })

/** Runs a command that is to be refused, in the project. */
async function refusal(args: readonly string[]): Promise<string> {
  const cwd = path.join(app, 'site')
  const ended = await promisify(execFile)(process.execPath, args, { cwd }).catch((failure) => failure)
  assert.equal(ended.code, 1, ended.stdout)
  return String(ended.stderr)
}

/** Builds like the `build` script, but beside the checkout, whose own build others may be using. */
function build(source: string): void {
  mkdirSync(path.join(source, 'scripts'), { recursive: true })
  for (const name of [
    'package.json',
    'scripts/install-package.sh',
    ...manifest.files.filter((name) => name !== 'dist' && !name.startsWith('!')),
  ])
    cpSync(path.join(ROOT, name), path.join(source, name), { recursive: true })
  const compiler = path.join(ROOT, 'node_modules/typescript/bin/tsc')
  const options = ['-p', path.join(ROOT, 'tsconfig.build.json'), '--outDir', path.join(source, 'dist')]
  execFileSync(process.execPath, [compiler, ...options])
  copySwaggerUi(path.join(source, 'dist'))
  // The test command has built it.
  cpSync(path.join(ROOT, 'dist/admin'), path.join(source, 'dist/admin'), { recursive: true })
}

/** The packages that the package names, and nothing else: a dependency that it forgot is missing. */
async function install(source: string): Promise<void> {
  const registry = await startRegistry()
  try {
    await promisify(execFile)('sh', [path.join(source, 'scripts/install-package.sh'), app], {
      env: {
        ...process.env,
        npm_config_registry: registry.url,
        npm_config_cache: path.join(scratch, 'cache'),
        // It is built already.
        npm_config_ignore_scripts: 'true',
      },
    })
  } finally {
    registry.close()
  }
}

describe('the packed package', () => {
  before(async () => {
    const source = path.join(scratch, 'source')
    build(source)
    await install(source)
  })
  after(() => rmSync(scratch, { recursive: true, force: true }))

  it('has the program, the guides that the README links to, and no source, test or development file', () => {
    assert.ok(existsSync(path.join(installed, 'dist/cli/octavo.js')))
    assert.ok(existsSync(path.join(installed, 'dist/admin/index.html')))
    for (const name of ['src', 'test', 'bench', 'tsconfig.json', 'node_modules'])
      assert.ok(!existsSync(path.join(installed, name)))
    const readme = readFileSync(path.join(installed, 'README.md'), 'utf8')
    const links = [...readme.matchAll(/(?:\]\(|src(?:set)?=")(?!https?:|#)([^)#"]+)/g)].map(
      ([, link = '']) => link,
    )
    const broken = links.filter((link) => !existsSync(path.join(installed, link)))
    assert.deepEqual(broken, [])
  })

  it('is where the Dockerfile expects it', () => {
    assert.match(dockerfile, /^RUN npm ci && sh scripts\/install-package\.sh \/octavo /m)
    const [entry] = /(?<=ENTRYPOINT \["node", "\/octavo\/)[^"]+/.exec(dockerfile) ?? []
    assert.equal(path.join(app, String(entry)), command)
    assert.ok(existsSync(path.join(app, 'node_modules/.bin/octavo')), 'npx finds the command')
  })

  it('creates a project, serves it with the admin app and the API reference, and reads it with the client', async () => {
    const printed = node(command, 'new', 'site', '--yes')
    assert.match(printed, /cd site && npm install && npm run dev/)
    const token = /for-development-only-[\w-]+/.exec(printed)?.[0] ?? ''
    for (const mode of ['dev', 'start']) {
      const args = [command, mode, '--port', '0']
      const server = trackProcess(spawn(process.execPath, args, { cwd: path.join(app, 'site') }))
      try {
        const base = await server.address()
        assert.match(
          server.output(),
          new RegExp(
            `listening on ${base}\\n +Admin app +${base}/admin\\n +API reference +${base}/docs\\n +Project +\\S+/site\\n +Database +sqlite:\\S+data\\.db$`,
            'm',
          ),
        )
        for (const page of [
          '/',
          '/docs',
          '/docs/swagger-ui.js',
          '/docs/guide/quickstart',
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
        const file = path.join(app, 'program.mjs')
        writeFileSync(file, program)
        assert.equal(node(file).trim(), 'Written with the client')
        const [check = '[]'] = /(?<=CMD )\["node", "-e".*\]$/m.exec(dockerfile) ?? []
        const [, ...healthCheck]: string[] = JSON.parse(check)
        node(...healthCheck.map((part) => part.replace('http://127.0.0.1:1337', base)))
      } finally {
        assert.equal(await server.stop(), 0, server.output())
      }
    }
  })

  it('exports content, and replaces a file only with --force', async () => {
    const archive = path.join(app, 'content.octavo.jsonl.gz')
    writeFileSync(archive, 'something else')
    const args = [command, 'export', archive]
    assert.match(await refusal(args), /exists already.*--force/)
    assert.equal(readFileSync(archive, 'utf8'), 'something else')
    node(...args, '--project', 'site', '--force')
  })

  it('says which Node it needs to an older one', async () => {
    const older = `Object.defineProperty(process.versions, 'node', { value: '22.12.0' }); await import('${command}')`
    const refused = await refusal(['--input-type=module', '-e', older])
    assert.match(refused, /^Octavo requires Node 24\.15.*this is Node 22\.12\.0/)
  })

  it('is started by create-octavo, which passes its options on', () => {
    const create = path.join(app, 'node_modules/create-octavo')
    cpSync(path.join(ROOT, 'packages/create-octavo'), create, { recursive: true })
    const printed = node(path.join(create, 'create.js'), 'made', '--yes', '--no-start', '--locales', 'en,fr')
    assert.match(printed, /Created made in/)
    assert.match(readFileSync(path.join(app, 'made/octavo.config.ts'), 'utf8'), /\['en', 'fr'\]/)
    const read = (folder: string) => JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
    assert.equal(read(create).version, read(installed).version, 'both packages are released together')
    for (const folder of [create, path.join(app, 'made')])
      assert.deepEqual(read(folder).engines, manifest.engines, 'both need the same Node')
  })
})
