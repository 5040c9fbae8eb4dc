/** A project folder on disk: its configuration and its schema files, read together with every problem in them. */
import { existsSync, statSync } from 'node:fs'
import { extname, isAbsolute, join, resolve } from 'node:path'
import type { Config, ConfigInput } from './config/config.ts'
import { sqliteFile, sqliteUrl } from './config/database-url.ts'
import { defaults } from './config/defaults.ts'
import { type Environment, environmentConfig } from './config/environment.ts'
import type { Note } from './config/setting.ts'
import { checkTogether, configSetting, overlay } from './config/settings.ts'
import { files, importDefault, inProject, readJson, readSchemas } from './files.ts'
import type { ProjectProblem } from './problems.ts'
import type { SchemaSource } from './source.ts'

export interface ProjectFiles {
  /** Absolute path of the project folder. */
  readonly dir: string
  readonly config: Config
  readonly sources: readonly SchemaSource[]
  readonly problems: readonly ProjectProblem[]
}

const CONFIG_EXTENSIONS = ['.ts', '.mts', '.js', '.mjs', '.json']

/**
 * Reads a project. Later sources win: defaults, octavo.config, config/<key>, environment variables, overrides.
 * Never throws for what is in the folder; `problems` tells.
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
      problems: [{ file: dir, path: '', message: 'there is no such folder' }],
    }
  }
  const layers = [...(await configFile(dir, problems)), ...(await configFolder(dir, problems))]
  configSetting.check(overrides, '', noteTo(problems, 'option'))
  const config = [...layers, environmentConfig(env, problems), overrides].reduce<Config>(
    (merged, layer) => overlay(merged, layer),
    defaults,
  )
  if (problems.length === 0) checkTogether(config, noteTo(problems, 'configuration'))
  const sources = await readSchemas(dir, problems)
  // A configuration with problems has values of the wrong type; nobody should see those.
  return { dir, config: problems.length > 0 ? defaults : withPaths(config, dir), sources, problems }
}

async function configFile(dir: string, problems: ProjectProblem[]): Promise<unknown[]> {
  const found = CONFIG_EXTENSIONS.map((extension) => `octavo.config${extension}`).filter((name) =>
    existsSync(join(dir, name)),
  )
  const [name, second] = found
  if (second) problems.push({ file: second, path: '', message: `there is ${name} as well; keep one` })
  if (name === undefined) return []
  const config = await readAny(dir, join(dir, name), problems)
  if (config === undefined) return []
  configSetting.check(config, '', noteTo(problems, name))
  return [config]
}

async function configFolder(dir: string, problems: ProjectProblem[]): Promise<unknown[]> {
  const layers: unknown[] = []
  const seen = new Map<string, string>()
  for (const name of await files(join(dir, 'config'), { dir, problems })) {
    const key = name.slice(0, -extname(name).length)
    // Other files may live there: an existing project keeps settings of its own beside ours.
    if (!CONFIG_EXTENSIONS.includes(extname(name)) || !Object.hasOwn(defaults, key)) continue
    const path = join(dir, 'config', name)
    const other = seen.get(key)
    if (other)
      problems.push({
        file: inProject(dir, path),
        path: '',
        message: `there is config/${other} as well; keep one`,
      })
    seen.set(key, name)
    const value = await readAny(dir, path, problems)
    if (value === undefined) continue
    const layer = { [key]: value }
    configSetting.check(layer, '', noteTo(problems, inProject(dir, path)))
    layers.push(layer)
  }
  return layers
}

const noteTo =
  (problems: ProjectProblem[], file: string): Note =>
  (path, message) =>
    problems.push({ file, path, message })

const readAny = (dir: string, path: string, problems: ProjectProblem[]) =>
  extname(path) === '.json' ? readJson(dir, path, problems) : importDefault(dir, path, problems)

/** Paths in the configuration are relative to the project folder. */
function withPaths(config: Config, dir: string): Config {
  const file = sqliteFile(config.database.url)
  if (file === null || isAbsolute(file)) return config
  return { ...config, database: { ...config.database, url: sqliteUrl(join(dir, file)) } }
}
