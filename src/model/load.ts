/** A project folder opened for use: its configuration and its model, or one error with every mistake in it. */
import type { Config, ConfigInput } from '../project/config.ts'
import type { Environment } from '../project/environment.ts'
import { readProject } from '../project/load.ts'
import { ProjectError } from '../project/mistake.ts'
import type { SchemaSource } from '../project/source.ts'
import type { Model } from './model.ts'
import { parseModel } from './parse.ts'

export interface Project {
  /** Absolute path of the project folder. */
  readonly dir: string
  readonly config: Config
  readonly model: Model
  readonly sources: readonly SchemaSource[]
}

/** Loads a project folder; throws a ProjectError that lists all mistakes of configuration and schema together. */
export async function loadProject(dir: string, env?: Environment, overrides?: ConfigInput): Promise<Project> {
  const read = await readProject(dir, env, overrides)
  const { locales } = read.config
  const parsed = parseModel(read.sources, { default: locales.default, codes: locales.locales })
  if (parsed.ok && read.mistakes.length === 0)
    return { dir: read.dir, config: read.config, model: parsed.model, sources: read.sources }
  throw new ProjectError(read.dir, [...read.mistakes, ...(parsed.ok ? [] : parsed.mistakes)])
}
