/** Runs the page, the program and the receiver of webhooks in docs/events.md. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, it } from 'node:test'
import { createServer, type OctavoServer } from '../../src/http/app.ts'
import { freePort } from '../support/free-port.ts'
import { copyProject } from '../support/project-folder.ts'
import { waitUntil } from '../support/wait-until.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const page = readFileSync(path.join(ROOT, 'docs/events.md'), 'utf8')
const folder = mkdtempSync(path.join(tmpdir(), 'octavo-events-guide-'))
const running: ChildProcess[] = []
let server: OctavoServer
let address = ''

before(async () => {
  const project = path.join(folder, 'demo')
  copyProject(path.join(ROOT, 'examples/restaurants'), project)
  server = await createServer({
    project,
    logLevel: 'silent',
    config: { server: { port: 0 }, webhooks: { allow: ['127.0.0.1'] } },
  })
  address = await server.listen()
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(path.join(folder, 'schema.ts'), 'export type Schema = never')
})

after(async () => {
  for (const child of running) child.kill()
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Runs a program on the server of the test; returns what it has printed so far. */
function start(name: string, text: string, env: NodeJS.ProcessEnv = {}): () => string {
  const file = path.join(folder, name)
  const client = path.relative(folder, path.join(ROOT, 'src/client/index.ts'))
  writeFileSync(
    file,
    text.replaceAll('http://127.0.0.1:1337', address).replaceAll(`'octavo-client'`, `'${client}'`),
  )
  const child = spawn(process.execPath, ['--experimental-eventsource', '--no-warnings', file], {
    env: { ...process.env, ...env },
  })
  running.push(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk
    })
  return () => output
}

async function publish(name: string) {
  const { secret } = await server.access.tokens.create({ name, kind: 'full-access' })
  const response = await fetch(`${address}/api/restaurants`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ data: { name, slug: name.toLowerCase() } }),
  })
  assert.equal(response.status, 201, await response.text())
}

/** Publishes until the program has noticed: it may not be connected yet. */
async function publishUntil(condition: (name: string) => boolean, prefix: string) {
  let count = 0
  await waitUntil(async () => {
    count += 1
    await publish(`${prefix}${count}`)
    for (let wait = 0; wait < 20 && !condition(`${prefix}1`); wait++)
      await new Promise((resolve) => setTimeout(resolve, 25))
    return condition(`${prefix}1`) || condition(`${prefix}${count}`)
  })
}

it('the page shows what is published', async () => {
  const [, script = ''] = /<script type="module">\n(.*?)<\/script>/s.exec(page) ?? []
  const browser = `const element = { set textContent(text) { console.log('shown:', text) } }
    globalThis.document = { querySelector: () => element }\n`
  const output = start('page.mjs', browser + script)
  await waitUntil(() => output().includes('shown:'))
  await publishUntil((name) => output().includes(name), 'Page')
})

it('the program prints the changes with their documents', async () => {
  const [, program = ''] = /^```ts\n(.*?)^```$/ms.exec(page) ?? []
  const output = start('program.ts', program)
  await publishUntil((name) => new RegExp(`\\d+ document\\.publish ${name}$`, 'm').test(output()), 'Program')
})

it('the receiver verifies deliveries', async () => {
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'))
  const [, receiver = ''] = /^```js\n(.*?)^```$/ms.exec(page) ?? []
  const { secret: token } = await server.access.tokens.create({ name: 'admin', kind: 'admin' })
  const port = await freePort()
  const response = await fetch(`${address}/admin/api/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ data: { name: 'site', url: `http://127.0.0.1:${port}/` } }),
  })
  const { data }: { data: { secret: string } } = JSON.parse(await response.text())
  const output = start('receiver.mjs', receiver.replace('listen(4000)', `listen(${port})`), {
    WEBHOOK_SECRET: data.secret,
  })
  await publishUntil((name) => new RegExp(`document\\.publish \\w+ ${name}$`, 'm').test(output()), 'Hook')
  const unsigned = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' })
  assert.equal(unsigned.status, 400)
})
