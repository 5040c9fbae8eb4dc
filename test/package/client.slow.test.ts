/**
 * The client as it is published, `octavo-client`, works in a folder of its own: npm packs it and installs it offline,
 * and it is used by Node, by the compiler and by a page in a browser.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { launchBrowser } from '../../admin/test/support/browser.ts'
import { typescriptOf } from '../../src/cli/typescript/module.ts'
import { loadRecording, PROJECT } from '../reference/recording.ts'
import { serve, type TestServer } from '../support/server.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const COMPILER = path.join(ROOT, 'node_modules/typescript/bin/tsc')
const { full: token = '' } = loadRecording().tokens
const run = promisify(execFile)

const scratch = mkdtempSync(path.join(tmpdir(), 'octavo-client-package-'))
const app = path.join(scratch, 'app')
const installed = path.join(app, 'node_modules/octavo-client')
const node = (...args: readonly string[]) => run(process.execPath, args, { cwd: app })

/** Builds like the `build` script of the package, but beside the checkout. */
async function packAndInstall(): Promise<void> {
  const source = path.join(scratch, 'source')
  const packageFolder = path.join(ROOT, 'packages/client')
  mkdirSync(source)
  mkdirSync(app)
  for (const name of ['package.json', 'README.md'])
    writeFileSync(path.join(source, name), readFileSync(path.join(packageFolder, name)))
  await node(COMPILER, '-p', packageFolder, '--outDir', path.join(source, 'dist'))
  const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', scratch]
  const { stdout } = await run('npm', pack, { cwd: source })
  writeFileSync(path.join(app, 'package.json'), '{ "private": true, "type": "module" }')
  const install = ['install', '--offline', '--no-audit', '--no-fund', path.join(scratch, stdout.trim())]
  await run('npm', install, { cwd: app })
}

/** What Node and the browser both do with the client; each reports the result in its own way. */
const steps = (url: string) => `
  const editor = createClient({ url: '${url}', token: '${token}' })
  const { documentId } = await editor.create('tags', { label: 'From ' + where })
  const events = editor.subscribe({ types: ['tags'], after: 0, include: 'document' })
  for await (const { document } of events) if (document?.label === 'From ' + where) break
  const labels = []
  for await (const { label } of editor.all('tags', { sort: 'label', pageSize: 1 })) labels.push(label)
  const progress = []
  const blob = new Blob(['x'.repeat(100_000)], { type: 'text/plain' })
  const [file] = await editor.upload(blob, { name: where + '.txt' }, { onProgress: (sent) => progress.push(sent) })
  await editor.files.delete(file.id)
  await editor.batch([{ method: 'DELETE', path: '/api/tags/' + documentId }])
  const user = createClient({ url: '${url}' })
  const account = { username: where, email: where + '@example.test', password: 'a long passphrase' }
  await user.register(account)
  await user.signIn(where, account.password)
  const renewed = await user.refresh()
  const { username } = await user.me()
  const refused = await user.findOne('tags', 'missing').catch((error) => error instanceof OctavoError && error.status)
  const result = { labels, sent: progress.at(-1), renewed, username, refused }`

const expected = (where: string) => ({
  labels: [`From ${where}`],
  sent: 100_000,
  renewed: true,
  username: where,
  refused: 403,
})

describe('the packed client', () => {
  let running: TestServer
  before(async () => {
    await packAndInstall()
    const auth = { sessions: 'refresh', passwordMemory: 64 } as const
    running = await serve(PROJECT, `sqlite:${path.join(scratch, 'data.db')}`, { auth })
  })
  after(async () => {
    await running?.close()
    rmSync(scratch, { recursive: true, force: true })
  })

  it('has no dependencies, and the version of the server', () => {
    const read = (file: string): Record<string, unknown> => JSON.parse(readFileSync(file, 'utf8'))
    const manifest = read(path.join(installed, 'package.json'))
    assert.equal(manifest.dependencies, undefined)
    assert.equal(manifest.peerDependencies, undefined)
    assert.equal(manifest.version, read(path.join(ROOT, 'package.json')).version)
  })

  it('compiles with the types that octavo types writes, whether or not those of Node are there', async () => {
    writeFileSync(path.join(app, 'schema.ts'), typescriptOf(running.server.layout().model))
    writeFileSync(
      path.join(app, 'program.ts'),
      `import { createClient } from 'octavo-client'
       import type { Schema } from './schema.ts'
       const client = createClient<Schema>({ url: '/' })
       const { data } = await client.find('tags', { locale: 'en' })
       export const label: string | undefined = data[0]?.label
       // @ts-expect-error not a locale of the project
       await client.find('tags', { locale: 'xx' })`,
    )
    writeFileSync(path.join(app, 'readme.ts'), programOfReadme(running.base))
    const options = ['--noEmit', '--strict', '--allowImportingTsExtensions', '--target', 'es2022']
    const modules = ['--module', 'nodenext', '--types', '', '--lib', 'es2022,dom']
    await node(COMPILER, ...options, ...modules, 'program.ts', 'readme.ts').catch(
      (failure: { stdout: string }) => assert.fail(failure.stdout),
    )
  })

  it('runs the program of its README', async () => {
    const { stdout } = await node('readme.ts')
    assert.match(stdout, /^400 ValidationError$/m)
  })

  it('signs in, follows changes, reads whole lists, writes batches and uploads in Node', async () => {
    writeFileSync(
      path.join(app, 'program.mjs'),
      `import { createClient, OctavoError } from 'octavo-client'
       const where = 'node'
       ${steps(running.base)}
       console.log(JSON.stringify(result))`,
    )
    assert.deepEqual(JSON.parse((await node('program.mjs')).stdout), expected('node'))
  })

  it('does the same in a page that imports it from another origin', async () => {
    const browser = await launchBrowser()
    if (!browser) return
    const pages = await servePage(`
      import { createClient, OctavoError } from '/octavo-client/index.js'
      const where = 'browser'
      const work = async () => { ${steps(running.base)}; return result }
      window.done = work()`)
    try {
      const page = await browser.newPage()
      await page.goto(pages.address)
      const result = await page.evaluate(() => Reflect.get(globalThis, 'done'))
      assert.deepEqual(result, expected('browser'))
    } finally {
      await browser.close()
      pages.server.close()
    }
  })
})

const programOfReadme = (url: string) =>
  [...readFileSync(path.join(installed, 'README.md'), 'utf8').matchAll(/^```ts\n(.*?)^```$/gms)]
    .map(([, text]) => text)
    .join('\n')
    .replaceAll('http://127.0.0.1:1337', url)

/** Serves a page with this script, and the files of the installed package. */
async function servePage(script: string): Promise<{ server: Server; address: string }> {
  const server = createServer(({ url = '/' }, response) => {
    const isPage = url === '/'
    response.setHeader('content-type', isPage ? 'text/html' : 'text/javascript')
    const file = path.join(installed, 'dist', path.basename(url))
    response.end(
      isPage
        ? `<!doctype html><link rel="icon" href="data:,"><script type="module">${script}</script>`
        : readFileSync(file),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const bound = server.address()
  return { server, address: `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : 0}/` }
}
