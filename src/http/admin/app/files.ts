/** The files of the built admin app, in memory: each is read when it is first requested. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { onDemand } from '../../../store/on-demand.ts'

/** Where the build puts the app, seen from the sources and from the published package alike. */
export const APP_FOLDER = join(import.meta.dirname, '../../../../dist/admin')

export interface AppFile {
  readonly type: string
  readonly plain: Buffer
  /** The same content, compressed when the app was built; null for formats that are compressed already. */
  readonly brotli: Buffer | null
  readonly gzip: Buffer | null
}

export interface AppFiles {
  /** The HTML page with its placeholders; null when the app is not built. */
  page(): Promise<string | null>
  /** A file that the page loads, by its path below the folder; null when there is no such file. */
  file(name: string): Promise<AppFile | null>
}

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
}

export function createAppFiles(folder: string): AppFiles {
  const names = onDemand(async () => new Set(await filesBelow(folder)))
  const cache = new Map<string, () => Promise<AppFile>>()
  return {
    async page() {
      return (await names()).has('index.html') ? readFile(join(folder, 'index.html'), 'utf8') : null
    },
    async file(name) {
      const known = await names()
      const type = TYPES[name.slice(name.lastIndexOf('.') + 1)]
      // Only names that were listed are read, so a request cannot reach other files.
      if (type === undefined || !known.has(name)) return null
      const load = cache.get(name) ?? onDemand(() => loadFile(folder, name, type, known))
      cache.set(name, load)
      return load()
    },
  }
}

async function filesBelow(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder, { recursive: true })).map((name) => name.replaceAll('\\', '/'))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

async function loadFile(
  folder: string,
  name: string,
  type: string,
  known: ReadonlySet<string>,
): Promise<AppFile> {
  const read = (each: string) => readFile(join(folder, each))
  const readIfKnown = async (each: string) => (known.has(each) ? read(each) : null)
  const [plain, brotli, gzip] = await Promise.all([
    read(name),
    readIfKnown(`${name}.br`),
    readIfKnown(`${name}.gz`),
  ])
  return { type, plain, brotli, gzip }
}
