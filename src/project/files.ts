/** Reading the files of a project folder. A file that cannot be read is a problem, not a crash. */
import { readdir, readFile, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { messageOf } from '../errors.ts'
import { offerOwnPackage } from './own-package.ts'
import type { ProjectProblem } from './problems.ts'
import { componentUid, type SchemaSource, typeUid } from './source.ts'

/** Every schema file of a project, in the order of their paths. */
export async function readSchemas(dir: string, problems: ProjectProblem[]): Promise<SchemaSource[]> {
  const reading = { dir, problems }
  const places = [
    ...(await typePlaces(reading)),
    ...(await componentPlaces(reading)),
    ...(await extensionPlaces(reading)),
  ]
  const read = await Promise.all(
    places.map(async ({ path, ...place }) => {
      const found: ProjectProblem[] = []
      const schema = await readJson(dir, path, found)
      return {
        found,
        sources: schema === undefined ? [] : [{ ...place, file: inProject(dir, path), schema }],
      }
    }),
  )
  problems.push(...read.flatMap(({ found }) => found))
  return read.flatMap(({ sources }) => sources)
}

/** The project that is read, and what is wrong with it. */
interface Reading {
  readonly dir: string
  readonly problems: ProjectProblem[]
}

interface Place extends Pick<SchemaSource, 'kind' | 'uid'> {
  readonly path: string
}

async function typePlaces(reading: Reading): Promise<Place[]> {
  const { dir } = reading
  const places: Place[] = []
  for (const api of await folders(join(dir, 'src/api'), reading)) {
    const types = join(dir, 'src/api', api, 'content-types')
    for (const name of await folders(types, reading)) {
      const path = join(types, name, 'schema.json')
      if (await isThere(join(types, name), 'schema.json', reading))
        places.push({ kind: 'type', uid: typeUid(api, name), path })
    }
  }
  return places
}

async function componentPlaces(reading: Reading): Promise<Place[]> {
  const { dir } = reading
  const places: Place[] = []
  const components = join(dir, 'src/components')
  for (const category of await folders(components, reading)) {
    for (const file of await files(join(components, category), reading)) {
      if (!file.endsWith('.json')) continue
      const uid = componentUid(category, file.slice(0, -'.json'.length))
      places.push({ kind: 'component', uid, path: join(components, category, file) })
    }
  }
  return places
}

async function extensionPlaces(reading: Reading): Promise<Place[]> {
  const folder = join(reading.dir, 'src/extensions/users-permissions/content-types/user')
  return (await isThere(folder, 'schema.json', reading))
    ? [{ kind: 'extension', uid: 'plugin::users-permissions.user', path: join(folder, 'schema.json') }]
    : []
}

/** The JSON of a file; undefined after noting why it cannot be read. */
export async function readJson(dir: string, path: string, problems: ProjectProblem[]): Promise<unknown> {
  try {
    const text = await readFile(path, 'utf8')
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    return value
  } catch (error) {
    problems.push({ file: inProject(dir, path), path: '', message: reasonOf(error, 'is not JSON') })
    return undefined
  }
}

/** The default export of a module; undefined after noting why it cannot be loaded. */
export async function importDefault(dir: string, path: string, problems: ProjectProblem[]): Promise<unknown> {
  offerOwnPackage()
  try {
    const module: { default?: unknown } = await import(await edition(path))
    if (module.default !== undefined) return module.default
    problems.push({ file: inProject(dir, path), path: '', message: 'has no default export' })
  } catch (error) {
    const isScript = error instanceof SyntaxError && /outside a module|'export'/.test(error.message)
    const message = isScript
      ? 'is not read as a module: set "type": "module" in package.json, or let its name end in .mts or .mjs'
      : reasonOf(error, 'cannot be loaded')
    problems.push({ file: inProject(dir, path), path: '', message })
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

/** What is in a folder. One that cannot be read may hold anything: only one that is not there counts as empty. */
async function entries(path: string, { dir, problems }: Reading) {
  try {
    return await readdir(path, { withFileTypes: true })
  } catch (error) {
    const isAbsent = error instanceof Error && 'code' in error && ABSENT.has(error.code)
    if (!isAbsent)
      problems.push({ file: inProject(dir, path), path: '', message: reasonOf(error, 'cannot be read') })
    return []
  }
}

const ABSENT = new Set<unknown>(['ENOENT', 'ENOTDIR'])

/** Visible folders inside a folder, sorted; none when it is not there. */
const folders = async (path: string, reading: Reading) =>
  (await entries(path, reading))
    .filter((entry) => !entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => entry.name)
    .sort()

/** Visible files inside a folder, sorted; none when it is not there. */
export const files = async (path: string, reading: Reading) =>
  (await entries(path, reading))
    .filter((entry) => !entry.isDirectory() && !entry.name.startsWith('.'))
    .map((entry) => entry.name)
    .sort()

const isThere = async (folder: string, file: string, reading: Reading) =>
  (await files(folder, reading)).includes(file)
