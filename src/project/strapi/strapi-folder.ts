/** Recognises the folder of a Strapi project, and reads what is particular to it. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Environment } from '../config/environment.ts'
import type { ProjectProblem } from '../problems.ts'
import type { Values } from '../values.ts'
import { type CodeFile, findCodeFiles } from './code-files.ts'
import { readStrapiConfig, sectionAt } from './read-config.ts'
import { translateSettings } from './settings.ts'
import type { SettingUse } from './translated-settings.ts'
import { findUnusedSchemas } from './unused-schemas.ts'

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
export async function readStrapiFolder(
  dir: string,
  env: Environment,
  problems: ProjectProblem[],
): Promise<ReadStrapiFolder | null> {
  const dependencies = await dependenciesOf(dir)
  const version = dependencies['@strapi/strapi']
  if (typeof version !== 'string') {
    if (typeof dependencies.strapi === 'string') problems.push(olderProject(dependencies.strapi))
    return null
  }
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
      leftOut: await findUnusedSchemas(dir),
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

const olderProject = (version: string): ProjectProblem => ({
  file: 'package.json',
  path: 'dependencies.strapi',
  message: `this is a project of Strapi ${version}, whose files have another format; upgrade it to Strapi 5`,
})

async function dependenciesOf(dir: string): Promise<Values> {
  try {
    return sectionAt(JSON.parse(await readFile(join(dir, 'package.json'), 'utf8')), 'dependencies')
  } catch {
    return {}
  }
}
