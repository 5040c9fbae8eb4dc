/** Reads a project folder: its configuration, its schema files, and all problems in them. */
import { existsSync, statSync } from 'node:fs'
import { extname, isAbsolute, join, resolve } from 'node:path'
import type { Config, ConfigInput } from './config/config.ts'
import { sqliteFile, sqliteUrl } from './config/database-url.ts'
import { defaults } from './config/defaults.ts'
import { withEnvFile } from './config/env-file.ts'
import { type Environment, environmentConfig } from './config/environment.ts'
import { mergeConfig } from './config/merge-config.ts'
import type { Report } from './config/setting.ts'
import { checkCombinations, configSetting } from './config/settings.ts'
import { importDefault, listFiles, pathInProject, readJson, readSchemas } from './files.ts'
import type { ProjectProblem } from './problems.ts'
import type { SchemaSource } from './source.ts'
import { CONFIG_FILES } from './strapi/read-config.ts'
import { readStrapiFolder, type StrapiFolder } from './strapi/strapi-folder.ts'

export interface ProjectFiles {
  /** Absolute path of the project folder. */
  readonly dir: string
  readonly config: Config
  readonly sources: readonly SchemaSource[]
  readonly problems: readonly ProjectProblem[]
  /** What is particular to the folder of a Strapi project; null for any other. */
  readonly strapi: StrapiFolder | null
}

const CONFIG_EXTENSIONS = ['.ts', '.mts', '.js', '.mjs', '.json']

/**
 * Reads a project. Settings come from these sources, in increasing order of precedence: defaults, the files of Strapi,
 * octavo.config, config/<key>, environment variables, overrides. Problems in the folder are returned, not thrown.
 */
export async function readProject(
  folder: string,
  env: Environment = process.env,
  overrides: ConfigInput = {},
): Promise<ProjectFiles> {
  const dir = resolve(folder)
  const problems: ProjectProblem[] = []
  if (!existsSync(dir) || !statSync(dir).isDirectory()) {
    return {
      dir,
      config: defaults,
      sources: [],
      problems: [{ file: dir, path: '', message: 'the folder does not exist' }],
      strapi: null,
    }
  }
  const variables = withEnvFile(dir, env, problems)
  const strapi = await readStrapiFolder(dir, variables, problems)
  const configs = [
    ...(strapi ? [strapi.config] : []),
    ...(await configFile(dir, problems)),
    ...(await configFolder(dir, problems, strapi ? CONFIG_FILES : [])),
  ]
  const config = completeConfig(configs, strapi?.env ?? variables, overrides, problems)
  const sources = await readSchemas(dir, problems)
  // A configuration with problems may have values of the wrong type.
  return {
    dir,
    config: problems.length > 0 ? defaults : withAbsolutePaths(config, dir),
    sources,
    problems,
    strapi: strapi?.folder ?? null,
  }
}

/** A project whose folder does not exist yet: only the environment and the overrides configure it. */
export function readProjectToCreate(
  folder: string,
  env: Environment = process.env,
  overrides: ConfigInput = {},
): ProjectFiles {
  const dir = resolve(folder)
  const problems: ProjectProblem[] = []
  const config = completeConfig([], env, overrides, problems)
  return {
    dir,
    config: problems.length > 0 ? defaults : withAbsolutePaths(config, dir),
    sources: [],
    problems,
    strapi: null,
  }
}

/** The settings of the files, completed with defaults and overridden by the environment and the overrides. */
function completeConfig(
  configs: readonly unknown[],
  env: Environment,
  overrides: ConfigInput,
  problems: ProjectProblem[],
): Config {
  configSetting.check(overrides, '', reportTo(problems, 'option'))
  const config = [...configs, environmentConfig(env, problems), overrides].reduce<Config>(
    (merged, next) => mergeConfig(merged, next),
    defaults,
  )
  if (problems.length === 0) checkCombinations(config, reportTo(problems, 'configuration'))
  return config
}

async function configFile(dir: string, problems: ProjectProblem[]): Promise<unknown[]> {
  const found = CONFIG_EXTENSIONS.map((extension) => `octavo.config${extension}`).filter((name) =>
    existsSync(join(dir, name)),
  )
  const [name, second] = found
  if (second) problems.push({ file: second, path: '', message: `conflicts with ${name}; keep one of them` })
  if (name === undefined) return []
  const config = await readConfigFile(dir, join(dir, name), problems)
  if (config === undefined) return []
  configSetting.check(config, '', reportTo(problems, name))
  return [config]
}

/** The settings in `config/<key>`, without the files that Strapi reads. */
async function configFolder(
  dir: string,
  problems: ProjectProblem[],
  filesOfStrapi: readonly string[],
): Promise<unknown[]> {
  const configs: unknown[] = []
  const seen = new Map<string, string>()
  for (const name of await listFiles(join(dir, 'config'), { dir, problems })) {
    const key = name.slice(0, -extname(name).length)
    // Projects may keep other files in this folder.
    if (!CONFIG_EXTENSIONS.includes(extname(name)) || !Object.hasOwn(defaults, key)) continue
    if (filesOfStrapi.includes(key)) continue
    const path = join(dir, 'config', name)
    const other = seen.get(key)
    if (other)
      problems.push({
        file: pathInProject(dir, path),
        path: '',
        message: `conflicts with config/${other}; keep one of them`,
      })
    seen.set(key, name)
    const value = await readConfigFile(dir, path, problems)
    if (value === undefined) continue
    const config = { [key]: value }
    configSetting.check(config, '', reportTo(problems, pathInProject(dir, path)))
    configs.push(config)
  }
  return configs
}

const reportTo =
  (problems: ProjectProblem[], file: string): Report =>
  (path, message) =>
    problems.push({ file, path, message })

const readConfigFile = (dir: string, path: string, problems: ProjectProblem[]) =>
  extname(path) === '.json' ? readJson(dir, path, problems) : importDefault(dir, path, problems)

/** Resolves the path of an SQLite database relative to the project folder. */
function withAbsolutePaths(config: Config, dir: string): Config {
  const file = sqliteFile(config.database.url)
  if (file === null || isAbsolute(file)) return config
  return { ...config, database: { ...config.database, url: sqliteUrl(join(dir, file)) } }
}
