/** The project that an export is imported into: its own schema files, or those of the export if it has none. */
import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Fields } from '../../documents/transfer/archive-line.ts'
import { messageOf } from '../../errors.ts'
import { localesOf, type Project, projectOfFiles } from '../../model/load-project.ts'
import { adaptSchemas } from '../../model/strapi/adapt-schemas.ts'
import { defaults } from '../../project/config/defaults.ts'
import { type ProjectFiles, readProject, readProjectToCreate } from '../../project/read-project.ts'
import type { SchemaSource } from '../../project/source.ts'
import { isObject } from '../../project/values.ts'
import { UsageError } from '../error-message.ts'
import { type ProjectOptions, settingsOf } from '../options.ts'
import { rejectOtherFolder } from '../project.ts'
import type { Overview } from './overview.ts'
import { schemaSources } from './schemas.ts'

export interface TargetProject {
  readonly project: Project
  /** Files to write to the project folder, by path. */
  readonly newFiles: ReadonlyMap<string, string>
  /** Parts of the export's schema that the project cannot have, a sentence each. */
  readonly notes: readonly string[]
}

/** Loads the project folder, which may be empty or missing. Writes nothing. */
export async function targetProject(options: ProjectOptions, overview: Overview): Promise<TargetProject> {
  const dir = resolve(options.project)
  rejectOtherFolder(dir)
  const files = existsSync(dir)
    ? await readProject(dir, process.env, settingsOf(options))
    : readProjectToCreate(dir, process.env, settingsOf(options))
  const locales = localesToAdd(files, overview)
  const config = locales
    ? { ...files.config, locales: { ...files.config.locales, ...locales } }
    : files.config
  const isEmpty = files.problems.length === 0 && !files.sources.some(({ kind }) => kind === 'type')
  const adapted = isEmpty
    ? adaptSchemas(schemaSources(overview.schemas), localesOf(config))
    : { sources: files.sources, leftOut: [] }
  const project = projectOfFiles({ ...files, config, sources: adapted.sources })
  const newFiles = new Map([
    ...(isEmpty ? adapted.sources.map((source) => [source.file, schemaText(source)] as const) : []),
    ...(locales ? [['config/locales.json', json(locales)] as const] : []),
  ])
  return {
    project,
    newFiles,
    notes: adapted.leftOut.map(({ file, path, message }) => `Left out of ${file}: ${path}: ${message}`),
  }
}

/** What the folder of a Strapi project knows and its database does not: the schemas of components and the uploaded files. */
export async function readStrapiFolder(
  options: ProjectOptions,
): Promise<{ readonly components: ReadonlyMap<string, Fields>; readonly uploads: string }> {
  const dir = resolve(options.project)
  rejectOtherFolder(dir)
  const sources = existsSync(dir) ? (await readProject(dir, process.env, settingsOf(options))).sources : []
  const components = sources.flatMap(({ kind, uid, schema }) =>
    kind === 'component' && isObject(schema) ? [[uid, { ...schema, uid }] as const] : [],
  )
  return { components: new Map(components), uploads: join(dir, 'public/uploads') }
}

/** The locales of the export, if the project has not configured any. */
function localesToAdd(files: ProjectFiles, overview: Overview) {
  const codes = overview.locales
  const isConfigured = !isDeepStrictEqual(files.config.locales, defaults.locales)
  if (isConfigured || codes.length === 0) return null
  const first = overview.defaultLocale ?? codes[0] ?? defaults.locales.default
  const locales = { default: first, locales: codes.includes(first) ? codes : [first, ...codes] }
  return isDeepStrictEqual(locales, { default: defaults.locales.default, locales: defaults.locales.locales })
    ? null
    : locales
}

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`
const schemaText = ({ schema }: SchemaSource) => json(schema)

/** Writes new files to the project folder: all of them, or none. Returns how to remove them again. */
export async function addFiles(
  dir: string,
  files: ReadonlyMap<string, string>,
): Promise<{ remove(): Promise<void> }> {
  const created: string[] = []
  const remove = async () => {
    for (const path of created.reverse()) await rm(path, { recursive: true, force: true })
  }
  for (const [file, text] of files) {
    const path = join(dir, file)
    try {
      // The first folder that did not exist, so that nothing is left behind.
      const folder = await mkdir(dirname(path), { recursive: true })
      if (folder !== undefined) created.push(folder)
      await writeFile(path, text, { flag: 'wx' })
      created.push(path)
    } catch (failure) {
      await remove()
      throw new UsageError(`Cannot write ${path}: ${messageOf(failure)}`)
    }
  }
  return { remove }
}
