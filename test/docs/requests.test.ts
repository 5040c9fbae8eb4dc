/** Runs every request in the README and the guides, and compares the responses with the documented ones. */
import assert from 'node:assert/strict'
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { loadContent } from '../../src/cli/start/demo-content.ts'
import { createServer, type OctavoServer } from '../../src/http/app.ts'
import { copyProject } from '../support/project-folder.ts'
import { assertDocumented } from './compare.ts'
import { type Request, type Step, stepsOf } from './page.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const scratch = mkdtempSync(path.join(tmpdir(), 'octavo-docs-'))
const demo = path.join(scratch, 'demo')

/** documentIds by the names that guides use for them, such as `{restaurants/salt-and-ember}`. */
type Names = Map<string, string>
let demoNames: Names = new Map()

before(async () => {
  copyProject(path.join(ROOT, 'examples/restaurants'), demo)
  const server = await createServer({ project: demo, logLevel: 'silent' })
  const written = await loadContent(server)
  demoNames = new Map([...written].map(([key, id]) => [key.slice(1), id]))
  await server.close()
})

after(() => rmSync(scratch, { recursive: true, force: true }))

for (const page of ['README.md', ...globSync('docs/*.md', { cwd: ROOT }).sort()]) {
  const steps = stepsOf(readFileSync(path.join(ROOT, page), 'utf8'))
  if (steps.length === 0) continue
  test(`the requests in ${page} return the documented responses`, async () => {
    const server = await createServer({ project: projectOf(page, steps), logLevel: 'silent' })
    try {
      await follow(page, steps, server)
    } finally {
      await server.close()
    }
  })
}

/** A project with the files that a guide shows, or a copy of the demo if it shows none. */
function projectOf(page: string, steps: readonly Step[]): string {
  const folder = path.join(scratch, page.replaceAll('/', '-'))
  const files = steps.filter((step) => step.kind === 'file')
  if (files.length === 0) cpSync(demo, folder, { recursive: true })
  for (const file of files) {
    const target = path.join(folder, file.path)
    mkdirSync(path.dirname(target), { recursive: true })
    writeFileSync(target, file.text.replaceAll(`'octavo'`, `'${path.join(ROOT, 'src/index.ts')}'`))
  }
  return folder
}

async function follow(page: string, steps: readonly Step[], server: OctavoServer) {
  const admin = await server.access.tokens.create({ name: 'the reader of the guide', kind: 'admin' })
  const names: Names = new Map([...demoNames, ['admin-token', admin.secret]])
  for (const step of steps) {
    if (step.kind === 'file') continue
    const response = await send(server, step.request, names)
    const at = `${page}:${step.line}`
    assert.equal(
      response.status,
      expectedStatus(step.request, step.response),
      `${at}: ${JSON.stringify(response.body)}`,
    )
    if (step.response !== undefined) assertDocumented(response.body, step.response, at)
    if (step.as) names.set(step.as, documentIdIn(response.body))
  }
}

async function send(server: OctavoServer, { method, url, headers, body, form }: Request, names: Names) {
  const fill = (text: string) =>
    text.replaceAll(/\{([a-z][a-z0-9/-]*)\}/g, (whole, name: string) => names.get(name) ?? whole)
  const filled = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fill(value)]))
  const response = await server.app.inject({
    method: method === 'GET' || method === 'PUT' || method === 'DELETE' ? method : 'POST',
    url: fill(url),
    headers: { ...(body && { 'content-type': 'application/json' }), ...filled },
    ...(body && { payload: fill(body) }),
    ...(form?.length && (await formOf(form.map(fill), headers))),
  })
  return { status: response.statusCode, body: response.payload === '' ? null : response.json() }
}

/** A form as a body with its headers; paths of files are relative to the repository. */
async function formOf(parts: readonly string[], headers: Readonly<Record<string, string>>) {
  const form = new FormData()
  for (const part of parts) {
    const [name = '', value = ''] = part.split(/=(.*)/s)
    if (value.startsWith('@'))
      form.append(name, new Blob([readFileSync(path.join(ROOT, value.slice(1)))]), path.basename(value))
    else form.append(name, value)
  }
  const encoded = new Response(form)
  const type = { 'content-type': encoded.headers.get('content-type') ?? '' }
  return { headers: { ...headers, ...type }, payload: Buffer.from(await encoded.arrayBuffer()) }
}

function expectedStatus({ method, url }: Request, documented: unknown): number {
  const error =
    documented && typeof documented === 'object' && 'error' in documented ? documented.error : null
  if (error && typeof error === 'object' && 'status' in error) return Number(error.status)
  if (
    /\/actions\/|\/restore\b|\/api\/batch|\/auth\/|\/upload\?id=|\/upload\/(files\/|folders\?path=)/.test(url)
  )
    return 200
  return { POST: 201, DELETE: 204 }[method] ?? 200
}

function documentIdIn(body: { data?: { documentId?: string } } | { documentId?: string }[] | null): string {
  const documentId = Array.isArray(body) ? body[0]?.documentId : body?.data?.documentId
  assert.ok(documentId, 'a named request returns a document')
  return documentId
}
