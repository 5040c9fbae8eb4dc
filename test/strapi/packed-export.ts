/** Packs exports of Strapi for tests: lines of JSON in a tar file, as `strapi export` writes them. */
import { gzipSync } from 'node:zlib'

export interface ExportParts {
  readonly schemas?: readonly object[]
  readonly entities?: readonly object[]
  readonly links?: readonly object[]
  readonly configuration?: readonly object[]
  /** Bytes of files by name. */
  readonly files?: Readonly<Record<string, string>>
  /** Null leaves out metadata.json, which is written last. */
  readonly version?: string | null
  /** What stands between the parts of a path. */
  readonly separator?: '/' | '\\'
}

const lines = (all: readonly object[] = []) => all.map((one) => `${JSON.stringify(one)}\n`).join('')

/** The files of an export by path, in the order in which Strapi packs them. */
export function exportFiles({ version = '5.54.0', ...parts }: ExportParts): Map<string, string> {
  const files = new Map<string, string>()
  const addLines = (folder: string, all?: readonly object[]) => {
    if (all) files.set(`${folder}/${folder}_00001.jsonl`, lines(all))
  }
  addLines('schemas', parts.schemas)
  addLines('entities', parts.entities)
  for (const [name, bytes] of Object.entries(parts.files ?? {})) {
    files.set(`assets/metadata/${name}.json`, JSON.stringify({ name, size: bytes.length / 1000 }))
    files.set(`assets/uploads/${name}`, bytes)
  }
  addLines('links', parts.links)
  addLines('configuration', parts.configuration)
  if (version !== null)
    files.set('metadata.json', JSON.stringify({ createdAt: '2026-01-02T03:04:05.000Z', strapi: { version } }))
  return files
}

/** A tar file with these files. Long paths get an extended header. */
export function pack(files: ReadonlyMap<string, string>, separator = '/'): Buffer {
  const blocks: Buffer[] = []
  for (const [path, text] of files) {
    const name = path.replaceAll('/', separator)
    const content = Buffer.from(text)
    if (Buffer.byteLength(name) > 100) blocks.push(...entry('pax', 'x', paxRecord('path', name)))
    blocks.push(...entry(name.slice(0, 100), '0', content))
  }
  return Buffer.concat([...blocks, Buffer.alloc(1024)])
}

export const packExport = (parts: ExportParts): Buffer => gzipSync(pack(exportFiles(parts), parts.separator))

function entry(name: string, kind: string, content: Buffer): Buffer[] {
  const header = Buffer.alloc(512)
  header.write(name, 0, 100)
  header.write('0000644\0', 100)
  header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124)
  header.write('00000000000\0', 136)
  header.write('        ', 148)
  header.write(kind, 156)
  header.write('ustar\x0000', 257, 'latin1')
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return [header, content, Buffer.alloc((512 - (content.length % 512)) % 512)]
}

/** `<length> <key>=<value>\n`, where the length counts itself. */
function paxRecord(key: string, value: string): Buffer {
  const rest = ` ${key}=${value}\n`
  const bytes = Buffer.byteLength(rest)
  const length = [bytes + 1, bytes + 2, bytes + 3].find((total) => bytes + String(total).length === total)
  return Buffer.from(`${length}${rest}`)
}

const SYSTEM = {
  createdAt: { type: 'datetime' },
  updatedAt: { type: 'datetime' },
  publishedAt: { type: 'datetime' },
  createdBy: { type: 'relation', relation: 'oneToOne', target: 'admin::user' },
  locale: { type: 'string' },
  localizations: { type: 'relation', relation: 'oneToMany', target: 'self' },
}

/** The schema of a content-type as exports hold it. */
export const typeSchema = (name: string, attributes: object, more: object = {}) => ({
  kind: 'collectionType',
  collectionName: `${name}s`,
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  options: { draftAndPublish: false },
  pluginOptions: {},
  attributes: { ...attributes, ...SYSTEM },
  modelType: 'contentType',
  modelName: name,
  uid: `api::${name}.${name}`,
  ...more,
})

export const componentSchema = (uid: string, attributes: object) => ({
  collectionName: `components_${uid.replace('.', '_')}`,
  info: { displayName: uid },
  options: {},
  attributes,
  modelType: 'component',
  uid,
})

export const NOW = '2026-01-01T00:00:00.000Z'

/** A row of an export, published unless `data` says otherwise. */
export const entity = (type: string, id: number, data: object) => ({
  type,
  id,
  data: {
    documentId: `doc${String(id).padStart(21, '0')}`,
    createdAt: NOW,
    updatedAt: NOW,
    publishedAt: NOW,
    locale: null,
    ...data,
  },
})
