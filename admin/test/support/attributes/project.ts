/** A project with one content-type that has an attribute for each row of the table. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAccount } from '../../../../test/admin/team.ts'
import { serve, type TestServer } from '../../../../test/support/server.ts'
import type { Row } from './row.ts'
import { SCALARS, TAKEN } from './scalars.ts'
import { image } from './structures.ts'

const TOKEN = 'for-the-tests-of-attribute-types-0123456789'

const schemaFile = (name: string) => `src/api/${name}/content-types/${name}/schema.json`

const typeSchema = (name: string, attributes: object, more: object = {}) => ({
  kind: 'collectionType',
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  attributes,
  ...more,
})

const NAMED = { name: { type: 'string', required: true } }

const projectOf = (rows: readonly Row[]): ReadonlyMap<string, unknown> =>
  new Map<string, unknown>([
    [
      schemaFile('sample'),
      typeSchema('sample', Object.fromEntries(rows.map(({ name, schema }) => [name, schema])), {
        options: { draftAndPublish: true },
        pluginOptions: { i18n: { localized: true } },
      }),
    ],
    [schemaFile('tag'), typeSchema('tag', NAMED)],
    [schemaFile('place'), typeSchema('place', NAMED)],
    [
      'src/components/parts/part.json',
      {
        info: { displayName: 'Part' },
        attributes: {
          title: { type: 'string', minLength: 3 },
          tag: { type: 'relation', relation: 'oneToOne', target: 'api::tag.tag' },
        },
      },
    ],
    [
      'src/components/parts/quote.json',
      { info: { displayName: 'Quote' }, attributes: { text: { type: 'text', required: true } } },
    ],
    ['config/locales.json', { default: 'en', locales: ['en', 'fr'] }],
    ['config/tokens.json', { tests: { type: 'full-access', token: TOKEN } }],
  ])

export interface SampleProject extends TestServer {
  /** The sample documents without that one, as the API returns them to a client. */
  samples(query: string): Promise<readonly Readonly<Record<string, unknown>>[]>
}

/** Starts the project with an editor, the documents and files that values refer to, and a document with the value `TAKEN`. */
export async function startSamples(rows: readonly Row[]): Promise<SampleProject> {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-attributes-'))
  const running = await serve(projectOf(rows), `sqlite:${join(folder, 'data.db')}`)
  const headers = { authorization: `Bearer ${TOKEN}` }
  const send = async (path: string, init: RequestInit) => {
    const response = await fetch(`${running.base}/api/${path}`, {
      ...init,
      headers: { ...headers, ...init.headers },
    })
    const body: unknown = await response.json()
    if (!response.ok) throw new Error(JSON.stringify(body))
    return body
  }
  const create = (path: string, data: object) =>
    send(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ data }),
    })
  const upload = (name: string) => {
    const { buffer, mimeType } = image(name)
    const form = new FormData()
    form.append('files', new Blob([new Uint8Array(buffer)], { type: mimeType }), name)
    return send('upload', { method: 'POST', body: form })
  }
  const tags: unknown[] = []
  for (const name of ['Red', 'Green', 'Blue'])
    tags.push(at(await create('tags', { name }), 'data', 'documentId'))
  await create('places', { name: 'Harbour' })
  const file = at(await upload('library-a.png'), '0', 'id')
  await upload('library-b.png')
  const [documentId] = tags
  const taken = await create('samples', {
    ...Object.fromEntries(
      SCALARS.filter(({ schema }) => schema.required).map(({ name, answers: [answer] }) => [name, answer]),
    ),
    ...{ number: TAKEN, gallery: [file], relation: documentId, tags },
    anything: [{ __type: 'api::tag.tag', documentId }],
  })
  await createAccount(running.server, 'editor')
  return {
    ...running,
    async samples(query) {
      const list = at(await send(`samples?${query}`, {}), 'data')
      return Array.isArray(list)
        ? list.filter((document) => at(document, 'documentId') !== at(taken, 'data', 'documentId'))
        : []
    },
    async close() {
      await running.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The value at a path of parsed JSON. */
const at = (json: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    json,
  )
