/** A project folder on disk: its configuration and its schema files, read together with every mistake in them. */
import { existsSync, statSync } from 'node:fs'
import { extname, isAbsolute, join, resolve } from 'node:path'
import type { Config, ConfigInput } from './config/config.ts'
import { sqliteFile, sqliteUrl } from './config/database-url.ts'
import { defaults } from './config/defaults.ts'
import { type Environment, environmentConfig } from './config/environment.ts'
import type { Note } from './config/setting.ts'
import { checkTogether, configSetting, overlay } from './config/settings.ts'
import { files, importDefault, inProject, readJson, readSchemas } from './files.ts'
import type { Mistake } from './mistakes.ts'
import type { SchemaSource } from './source.ts'

export interface ProjectFiles {
  /** Absolute path of the project folder. */
  readonly dir: string
  readonly config: Config
  readonly sources: readonly SchemaSource[]
  readonly mistakes: readonly Mistake[]
}

const CONFIG_EXTENSIONS = ['.ts', '.mts', '.js', '.mjs', '.json']

/**
 * Reads a project. Later sources win: defaults, octavo.config, config/<key>, environment variables, overrides.
 * Never throws for what is in the folder; `mistakes` tells.
 */
export async function readProject(
  folder: string,
  env: Environment = process.env,
  overrides: ConfigInput = {},
): Promise<ProjectFiles> {
  const dir = resolve(folder)
  const mistakes: Mistake[] = []
  if (!existsSync(dir) || !statSync(dir).isDirectory()) {
    return {
      dir,
      config: defaults,
      sources: [],
      mistakes: [{ file: dir, path: '', message: 'there is no such folder' }],
    }
  }
  const layers = [...(await configFile(dir, mistakes)), ...(await configFolder(dir, mistakes))]
  configSetting.check(overrides, '', noteTo(mistakes, 'option'))
  const config = [...layers, environmentConfig(env, mistakes), overrides].reduce<Config>(
    (merged, layer) => overlay(merged, layer),
    defaults,
  )
  if (mistakes.length === 0) checkTogether(config, noteTo(mistakes, 'configuration'))
  const sources = await readSchemas(dir, mistakes)
  // A configuration with mistakes has values of the wrong type; nobody should see those.
  return { dir, config: mistakes.length > 0 ? defaults : withPaths(config, dir), sources, mistakes }
}

async function configFile(dir: string, mistakes: Mistake[]): Promise<unknown[]> {
  const found = CONFIG_EXTENSIONS.map((extension) => `octavo.config${extension}`).filter((name) =>
    existsSync(join(dir, name)),
  )
  const [name, second] = found
  if (second) mistakes.push({ file: second, path: '', message: `there is ${name} as well; keep one` })
  if (name === undefined) return []
  const config = await readAny(dir, join(dir, name), mistakes)
  if (config === undefined) return []
  configSetting.check(config, '', noteTo(mistakes, name))
  return [config]
}

async function configFolder(dir: string, mistakes: Mistake[]): Promise<unknown[]> {
  const layers: unknown[] = []
  const seen = new Map<string, string>()
  for (const name of await files(join(dir, 'config'), { dir, mistakes })) {
    const key = name.slice(0, -extname(name).length)
    // Other files may live there: an existing project keeps settings of its own beside ours.
    if (!CONFIG_EXTENSIONS.includes(extname(name)) || !Object.hasOwn(defaults, key)) continue
    const path = join(dir, 'config', name)
    const other = seen.get(key)
    if (other)
      mistakes.push({
        file: inProject(dir, path),
        path: '',
        message: `there is config/${other} as well; keep one`,
      })
    seen.set(key, name)
    const value = await readAny(dir, path, mistakes)
    if (value === undefined) continue
    const layer = { [key]: value }
    configSetting.check(layer, '', noteTo(mistakes, inProject(dir, path)))
    layers.push(layer)
  }
  return layers
}

const noteTo =
  (mistakes: Mistake[], file: string): Note =>
  (path, message) =>
    mistakes.push({ file, path, message })

const readAny = (dir: string, path: string, mistakes: Mistake[]) =>
  extname(path) === '.json' ? readJson(dir, path, mistakes) : importDefault(dir, path, mistakes)

/** Paths in the configuration are relative to the project folder. */
function withPaths(config: Config, dir: string): Config {
  const file = sqliteFile(config.database.url)
  if (file === null || isAbsolute(file)) return config
  return { ...config, database: { ...config.database, url: sqliteUrl(join(dir, file)) } }
}
