/** Reads the files of a project folder. A file that cannot be read is reported as a problem. */
import { readdir, readFile, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { messageOf } from '../errors.ts'
import { useRunningPackage } from './own-package.ts'
import type { ProjectProblem } from './problems.ts'
import { componentUid, type SchemaSource, typeUid } from './source.ts'

/** The project folder being read, and the problems found in it. */
interface FolderReader {
  readonly dir: string
  readonly problems: ProjectProblem[]
}

/** All schema files of a project, ordered by path. */
export async function readSchemas(dir: string, problems: ProjectProblem[]): Promise<SchemaSource[]> {
  const reader = { dir, problems }
  const files = [
    ...(await findTypeFiles(reader)),
    ...(await findComponentFiles(reader)),
    ...(await findPluginFiles(reader)),
  ]
  const results = await Promise.all(
    files.map(async ({ path, ...file }) => {
      const found: ProjectProblem[] = []
      const schema = await readJson(dir, path, found)
      return {
        found,
        sources: schema === undefined ? [] : [{ ...file, file: pathInProject(dir, path), schema }],
      }
    }),
  )
  problems.push(...results.flatMap(({ found }) => found))
  return results.flatMap(({ sources }) => sources)
}

interface SchemaFile extends Pick<SchemaSource, 'kind' | 'uid'> {
  readonly path: string
}

async function findTypeFiles(reader: FolderReader): Promise<SchemaFile[]> {
  const { dir } = reader
  const found: SchemaFile[] = []
  for (const api of await listFolders(join(dir, 'src/api'), reader)) {
    const types = join(dir, 'src/api', api, 'content-types')
    for (const name of await listFolders(types, reader)) {
      const path = join(types, name, 'schema.json')
      if (await hasFile(join(types, name), 'schema.json', reader))
        found.push({ kind: 'type', uid: typeUid(api, name), path })
    }
  }
  return found
}

async function findComponentFiles(reader: FolderReader): Promise<SchemaFile[]> {
  const found: SchemaFile[] = []
  const components = join(reader.dir, 'src/components')
  for (const category of await listFolders(components, reader)) {
    for (const file of await listFiles(join(components, category), reader)) {
      if (!file.endsWith('.json')) continue
      const uid = componentUid(category, file.slice(0, -'.json'.length))
      found.push({ kind: 'component', uid, path: join(components, category, file) })
    }
  }
  return found
}

const USER = 'plugin::users-permissions.user'
/** Their types are built in, and have the attributes that the server needs. */
const BUILT_IN_PLUGINS: readonly string[] = ['upload', 'users-permissions', 'i18n']

/** Extensions of users, and content-types of plugins, which the project may define in two places. */
async function findPluginFiles(reader: FolderReader): Promise<SchemaFile[]> {
  const { dir } = reader
  const found: SchemaFile[] = []
  for (const folder of ['src/extensions', 'src/plugins'])
    for (const plugin of await listFolders(join(dir, folder), reader)) {
      const inside = join(dir, folder, plugin)
      for (const types of ['content-types', 'server/content-types', 'server/src/content-types'])
        for (const name of await listFolders(join(inside, types), reader)) {
          const uid = `plugin::${plugin}.${name}`
          const isUser = uid === USER
          const isTaken = found.some((other) => other.uid === uid)
          if (isTaken || (BUILT_IN_PLUGINS.includes(plugin) && !isUser)) continue
          if (await hasFile(join(inside, types, name), 'schema.json', reader))
            found.push({
              kind: isUser ? 'extension' : 'type',
              uid,
              path: join(inside, types, name, 'schema.json'),
            })
        }
    }
  return found
}

/** The parsed JSON of a file; undefined after reporting a problem. */
export async function readJson(dir: string, path: string, problems: ProjectProblem[]): Promise<unknown> {
  try {
    const text = await readFile(path, 'utf8')
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    return value
  } catch (error) {
    problems.push({
      file: pathInProject(dir, path),
      path: '',
      message: withReason('is not valid JSON', error),
    })
    return undefined
  }
}

/** The default export of a module; undefined after reporting a problem. */
export async function importDefault(dir: string, path: string, problems: ProjectProblem[]): Promise<unknown> {
  useRunningPackage()
  try {
    const module: { default?: unknown } = await import(await moduleUrl(path))
    if (module.default !== undefined) return module.default
    problems.push({ file: pathInProject(dir, path), path: '', message: 'has no default export' })
  } catch (error) {
    const isScript = error instanceof SyntaxError && /outside a module|'export'/.test(error.message)
    const message = isScript
      ? 'is not an ES module: set "type": "module" in package.json, or rename the file to .mts or .mjs'
      : withReason('cannot be loaded', error)
    problems.push({ file: pathInProject(dir, path), path: '', message })
  }
  return undefined
}

const firstLoaded = new Map<string, number>()

/** The URL of a module. An edited module needs a new URL, because Node caches modules by URL. */
async function moduleUrl(path: string): Promise<string> {
  const { mtimeMs } = await stat(path)
  const first = firstLoaded.get(path) ?? mtimeMs
  firstLoaded.set(path, first)
  const { href } = pathToFileURL(path)
  return mtimeMs === first ? href : `${href}?edited=${mtimeMs}`
}

const withReason = (problem: string, error: unknown) => `${problem}: ${messageOf(error).split('\n')[0]}`

/** A path as shown to users: relative to the project, with forward slashes. */
export const pathInProject = (dir: string, path: string) => relative(dir, path).split(sep).join('/')

/** The entries of a folder. A folder that does not exist is empty; one that cannot be read is a problem. */
async function listEntries(path: string, { dir, problems }: FolderReader) {
  try {
    return await readdir(path, { withFileTypes: true })
  } catch (error) {
    const isAbsent = error instanceof Error && 'code' in error && ABSENT.has(error.code)
    if (!isAbsent)
      problems.push({
        file: pathInProject(dir, path),
        path: '',
        message: withReason('cannot be read', error),
      })
    return []
  }
}

const ABSENT = new Set<unknown>(['ENOENT', 'ENOTDIR'])

/** The names of visible folders in a folder, sorted. */
const listFolders = async (path: string, reader: FolderReader) =>
  (await listEntries(path, reader))
    .filter((entry) => !entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => entry.name)
    .sort()

/** The names of visible files in a folder, sorted. */
export const listFiles = async (path: string, reader: FolderReader) =>
  (await listEntries(path, reader))
    .filter((entry) => !entry.isDirectory() && !entry.name.startsWith('.'))
    .map((entry) => entry.name)
    .sort()

const hasFile = async (folder: string, file: string, reader: FolderReader) =>
  (await listFiles(folder, reader)).includes(file)
