/** Reading the files of a project folder. A file that cannot be read is a mistake, not a crash. */
import { readdir, readFile, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { messageOf } from '../errors.ts'
import type { Mistake } from './mistake.ts'
import { offerOwnPackage } from './own-package.ts'
import { componentUid, type SchemaSource, typeUid } from './source.ts'

/** Every schema file of a project, in the order of their paths. */
export async function readSchemas(dir: string, mistakes: Mistake[]): Promise<SchemaSource[]> {
  const places = [
    ...(await typePlaces(dir)),
    ...(await componentPlaces(dir)),
    ...(await extensionPlaces(dir)),
  ]
  const read = await Promise.all(
    places.map(async ({ path, ...place }) => {
      const found: Mistake[] = []
      const schema = await readJson(dir, path, found)
      return {
        found,
        sources: schema === undefined ? [] : [{ ...place, file: inProject(dir, path), schema }],
      }
    }),
  )
  mistakes.push(...read.flatMap(({ found }) => found))
  return read.flatMap(({ sources }) => sources)
}

interface Place extends Pick<SchemaSource, 'kind' | 'uid'> {
  readonly path: string
}

async function typePlaces(dir: string): Promise<Place[]> {
  const places: Place[] = []
  for (const api of await folders(join(dir, 'src/api'))) {
    const types = join(dir, 'src/api', api, 'content-types')
    for (const name of await folders(types)) {
      const path = join(types, name, 'schema.json')
      if (await isThere(join(types, name), 'schema.json'))
        places.push({ kind: 'type', uid: typeUid(api, name), path })
    }
  }
  return places
}

async function componentPlaces(dir: string): Promise<Place[]> {
  const places: Place[] = []
  const components = join(dir, 'src/components')
  for (const category of await folders(components)) {
    for (const file of await files(join(components, category))) {
      if (!file.endsWith('.json')) continue
      const uid = componentUid(category, file.slice(0, -'.json'.length))
      places.push({ kind: 'component', uid, path: join(components, category, file) })
    }
  }
  return places
}

async function extensionPlaces(dir: string): Promise<Place[]> {
  const folder = join(dir, 'src/extensions/users-permissions/content-types/user')
  return (await isThere(folder, 'schema.json'))
    ? [{ kind: 'extension', uid: 'plugin::users-permissions.user', path: join(folder, 'schema.json') }]
    : []
}

/** The JSON of a file; undefined after noting why it cannot be read. */
export async function readJson(dir: string, path: string, mistakes: Mistake[]): Promise<unknown> {
  try {
    const text = await readFile(path, 'utf8')
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    return value
  } catch (error) {
    mistakes.push({ file: inProject(dir, path), path: '', message: reasonOf(error, 'is not JSON') })
    return undefined
  }
}

/** The default export of a module; undefined after noting why it cannot be loaded. */
export async function importDefault(dir: string, path: string, mistakes: Mistake[]): Promise<unknown> {
  offerOwnPackage()
  try {
    const module: { default?: unknown } = await import(await edition(path))
    if (module.default !== undefined) return module.default
    mistakes.push({ file: inProject(dir, path), path: '', message: 'has no default export' })
  } catch (error) {
    const isScript = error instanceof SyntaxError && /outside a module|'export'/.test(error.message)
    const message = isScript
      ? 'is not read as a module: set "type": "module" in package.json, or let its name end in .mts or .mjs'
      : reasonOf(error, 'cannot be loaded')
    mistakes.push({ file: inProject(dir, path), path: '', message })
  }
  return undefined
}

const editions = new Map<string, number>()

/** The address of a module. One that was edited since it was first asked for needs another, or it would not be read again. */
async function edition(path: string): Promise<string> {
  const { mtimeMs } = await stat(path)
  const first = editions.get(path) ?? mtimeMs
  editions.set(path, first)
  const { href } = pathToFileURL(path)
  return mtimeMs === first ? href : `${href}?edited=${mtimeMs}`
}

const reasonOf = (error: unknown, what: string) => `${what}: ${messageOf(error).split('\n')[0]}`

/** A path as it is told to people: relative to the project, with forward slashes. */
export const inProject = (dir: string, path: string) => relative(dir, path).split(sep).join('/')

const entries = async (path: string) => {
  try {
    return await readdir(path, { withFileTypes: true })
  } catch {
    return []
  }
}

/** Visible folders inside a folder, sorted; none when it is not there. */
const folders = async (path: string) =>
  (await entries(path))
    .filter((entry) => !entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => entry.name)
    .sort()

/** Visible files inside a folder, sorted; none when it is not there. */
export const files = async (path: string) =>
  (await entries(path))
    .filter((entry) => !entry.isDirectory() && !entry.name.startsWith('.'))
    .map((entry) => entry.name)
    .sort()

const isThere = async (folder: string, file: string) => (await files(folder)).includes(file)
