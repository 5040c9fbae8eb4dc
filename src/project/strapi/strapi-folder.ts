/** Recognises the folder of a Strapi project, and reads what is particular to it. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Environment } from '../config/environment.ts'
import type { ProjectProblem } from '../problems.ts'
import { isObject, type Values } from '../values.ts'
import { type CodeFile, findCodeFiles } from './code-files.ts'
import { readStrapiConfig, sectionAt } from './read-config.ts'
import { translateSettings } from './settings.ts'
import type { SettingUse } from './translated-settings.ts'

export interface StrapiFolder {
  /** The version range in package.json. */
  readonly version: string
  /** What became of its settings. */
  readonly settings: readonly SettingUse[]
  /** Configuration files that cannot be evaluated here. */
  readonly unreadable: readonly ProjectProblem[]
  /** Code that cannot run here. */
  readonly code: readonly CodeFile[]
  /** Parts of schema files that were left out; completed when the model is parsed. */
  readonly leftOut: readonly ProjectProblem[]
}

export interface ReadStrapiFolder {
  readonly folder: StrapiFolder
  /** A partial configuration. */
  readonly config: Values
  /** The environment without the variables that belong to Strapi. */
  readonly env: Environment
}

/** Null if the folder is not that of a Strapi project: its package.json does not depend on @strapi/strapi. */
export async function readStrapiFolder(dir: string, env: Environment): Promise<ReadStrapiFolder | null> {
  const version = await strapiVersion(dir)
  if (version === null) return null
  const config = await readStrapiConfig(dir, env)
  const { config: translated, uses } = translateSettings(config, env)
  // The database of Strapi must never be written to, so the variable that names it is not ours.
  const { DATABASE_URL: _, ...rest } = env
  return {
    folder: {
      version,
      settings: uses,
      unreadable: config.problems,
      code: await findCodeFiles(dir),
      leftOut: [],
    },
    config: withCompatibleResponses(translated),
    env: rest,
  }
}

/** Clients of the project expect the responses of Strapi. */
function withCompatibleResponses(config: Values): Values {
  const api = sectionAt(config, 'api')
  return { ...config, api: { ...api, rest: { ...sectionAt(api, 'rest'), compat: 'strapi' } } }
}

async function strapiVersion(dir: string): Promise<string | null> {
  const file = join(dir, 'package.json')
  if (!existsSync(file)) return null
  try {
    const content: unknown = JSON.parse(await readFile(file, 'utf8'))
    const version = sectionAt(content, 'dependencies')['@strapi/strapi']
    return isObject(content) && typeof version === 'string' ? version : null
  } catch {
    return null
  }
}
