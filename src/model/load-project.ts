/** Loads a project folder: its configuration and its model, or one error that lists every problem. */
import type { Config, ConfigInput } from '../project/config/config.ts'
import type { Environment } from '../project/config/environment.ts'
import { ProjectError, type ProjectProblem } from '../project/problems.ts'
import { projectName } from '../project/project-name.ts'
import { type ProjectFiles, readProject } from '../project/read-project.ts'
import type { SchemaSource } from '../project/source.ts'
import type { StrapiFolder } from '../project/strapi/strapi-folder.ts'
import { didYouMean } from '../project/suggest.ts'
import type { Locales, Model } from './model.ts'
import { parseModel } from './parse-model.ts'
import { adaptSchemas } from './strapi/adapt-schemas.ts'

export interface Project {
  /** Absolute path of the project folder. */
  readonly dir: string
  /** From its package.json; null if that has none. */
  readonly name: string | null
  readonly config: Config
  readonly model: Model
  readonly sources: readonly SchemaSource[]
  /** What is particular to the folder of a Strapi project; null for any other. */
  readonly strapi: StrapiFolder | null
}

/** Loads a project folder; throws a ProjectError that lists all problems of configuration and schema together. */
export async function loadProject(
  folder: string,
  env?: Environment,
  overrides?: ConfigInput,
): Promise<Project> {
  return projectOfFiles(await readProject(folder, env, overrides))
}

/** The project that these files describe; throws a ProjectError that lists all problems. */
export function projectOfFiles({ dir, config, sources: files, problems, strapi }: ProjectFiles): Project {
  const locales = localesOf(config)
  const { sources, leftOut } = strapi ? adaptSchemas(files, locales) : { sources: files, leftOut: [] }
  const parsed = parseModel(sources, locales)
  const all = [...problems, ...(parsed.ok ? unknownTypes(config, parsed.model) : parsed.problems)]
  if (!parsed.ok || all.length > 0) throw new ProjectError(dir, all)
  return {
    dir,
    name: projectName(dir),
    config,
    model: parsed.model,
    sources,
    strapi: strapi && { ...strapi, leftOut: [...strapi.leftOut, ...leftOut] },
  }
}

/** The locales of a configuration, as the model has them. */
export const localesOf = ({ locales }: Pick<Config, 'locales'>): Locales => {
  const names = new Map(Object.entries(locales.names))
  return { default: locales.default, codes: locales.locales, ...(names.size > 0 && { names }) }
}

/** Reports permissions for content-types that do not exist, which are most likely misspelled. */
function unknownTypes({ roles, tokens, schema }: Config, { types }: Model): ProjectProblem[] {
  // An editable schema may have types that are only in the database.
  if (schema.editable) return []
  const granted = [
    ...Object.entries(roles).map(([role, permissions]) => [`roles.${role}`, permissions] as const),
    ...Object.entries(tokens).map(
      ([name, token]) => [`tokens.${name}.permissions`, token.permissions ?? {}] as const,
    ),
  ]
  return granted.flatMap(([path, permissions]) =>
    Object.keys(permissions)
      .filter((uid) => uid.startsWith('api::') && !types.has(uid))
      .map((uid) => ({
        file: 'configuration',
        path: `${path}.${uid}`,
        message: `unknown content-type "${uid}"${didYouMean(uid, types.keys())}`,
      })),
  )
}
