/** Reads the configuration files of a Strapi project, most of which export a function. */
import { readdir } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { messageOf } from '../../errors.ts'
import type { Environment } from '../config/environment.ts'
import { importDefault, readJson } from '../files.ts'
import type { ProjectProblem } from '../problems.ts'
import { isObject, type Values } from '../values.ts'
import { loadModulesOf } from './config-modules.ts'
import { createEnvHelper } from './env-helper.ts'

/** The files whose settings have a counterpart or are worth a word; others hold a project's own settings. */
export const CONFIG_FILES: readonly string[] = [
  'server',
  'api',
  'database',
  'middlewares',
  'plugins',
  'admin',
]

const EXTENSIONS = ['.ts', '.js', '.json', '.cjs', '.mjs', '.mts', '.cts']

export interface StrapiConfig {
  /** The values of files by name. */
  readonly files: ReadonlyMap<string, unknown>
  /** Files that cannot be evaluated here. */
  readonly problems: readonly ProjectProblem[]
}

export async function readStrapiConfig(dir: string, env: Environment): Promise<StrapiConfig> {
  const problems: ProjectProblem[] = []
  const files = new Map<string, unknown>()
  const helper = createEnvHelper(env)
  loadModulesOf(dir)
  for (const folder of ['config', `config/env/${env.NODE_ENV ?? 'development'}`])
    for (const name of await namesIn(join(dir, folder))) {
      const key = name.slice(0, -extname(name).length)
      if (!CONFIG_FILES.includes(key) || !EXTENSIONS.includes(extname(name)) || /\.d\.ts$/.test(name))
        continue
      // The database of Strapi is never opened, and what its address is made of is often not there.
      const value = key === 'database' ? {} : await evaluate(dir, `${folder}/${name}`, helper, problems)
      if (value !== undefined) files.set(key, merged(files.get(key), value))
    }
  return { files, problems }
}

const namesIn = async (folder: string) => (await readdir(folder).catch(() => [])).sort()

/** The value of a file; undefined after reporting a problem. */
async function evaluate(
  dir: string,
  file: string,
  env: ReturnType<typeof createEnvHelper>,
  problems: ProjectProblem[],
): Promise<unknown> {
  const path = join(dir, file)
  if (extname(file) === '.json') return readJson(dir, path, problems)
  return withFolderNames(join(dir, 'dist/config'), file, async () => {
    const exported = await importDefault(dir, path, problems)
    // A compiled module may have its default export inside.
    const value = isObject(exported) && typeof exported.default === 'function' ? exported.default : exported
    try {
      const result: unknown = typeof value === 'function' ? await value({ env }) : value
      if (typeof result !== 'function') return result
      throw new Error('its value comes from a package that is not installed')
    } catch (error) {
      problems.push({ file, path: '', message: `cannot be evaluated: ${messageOf(error)}` })
      return undefined
    }
  })
}

/**
 * Strapi compiles its TypeScript to CommonJS modules in `dist`, where `__dirname` exists. Here the files are ES modules, so
 * the names are defined while one is evaluated.
 */
async function withFolderNames<Result>(
  folder: string,
  file: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const names = { __dirname: folder, __filename: join(folder, file) }
  Object.assign(globalThis, names)
  try {
    return await work()
  } finally {
    for (const name of Object.keys(names)) Reflect.deleteProperty(globalThis, name)
  }
}

/** Objects are merged; every other value is replaced. */
function merged(base: unknown, over: unknown): unknown {
  if (!isObject(base) || !isObject(over)) return over
  const result: Record<string, unknown> = { ...base }
  for (const [key, value] of Object.entries(over)) result[key] = merged(base[key], value)
  return result
}

/** The object at a path of keys; an empty one where there is none. */
export function sectionAt(value: unknown, ...path: readonly string[]): Values {
  let found: unknown = value
  for (const key of path) found = isObject(found) ? found[key] : undefined
  return isObject(found) ? found : {}
}
