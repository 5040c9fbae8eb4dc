/** Opens the database with the model that a server or command starts with. */

import { migrateAccess } from '../access/migrate-access.ts'
import { invalidPermissionsInConfig } from '../access/roles/invalid-permissions.ts'
import { accessTables } from '../access/tables.ts'
import { createAuditLog } from '../events/audit/append.ts'
import { SYSTEM } from '../events/audit/audit-record.ts'
import { sinkTables } from '../events/sinks.ts'
import { storageProblems } from '../media/storage/providers.ts'
import type { Project } from '../model/load-project.ts'
import type { Model } from '../model/model.ts'
import { parseModel } from '../model/parse-model.ts'
import type { Config } from '../project/config/config.ts'
import { ProjectError, type ProjectProblem } from '../project/problems.ts'
import { learningTables } from '../reads/indexes/tables.ts'
import { META_TABLE, readStoredSchema } from '../store/migration/meta-table.ts'
import { type MigrationResult, migrate, readCurrentModel } from '../store/migration/migrate.ts'
import type { Store } from '../store/store.ts'
import { refuseStrapiDatabase } from '../store/strapi-database.ts'
import { createOwnTables } from '../store/tables/own-tables.ts'
import { schemaRecord } from './schema-record.ts'

export interface OpenedModel extends MigrationResult {
  readonly project: Project
}

const learnedTables = ({ database }: Config) => (database.autoIndex === 'off' ? [] : [learningTables])

/** Migrates the database to the project. A migration that loses content is refused with a StartError. */
export async function openModel(
  store: Store,
  given: Project,
  production: boolean,
  /** Finds references in the project's own code that the model does not have. */
  checkExtension: (model: Model) => readonly ProjectProblem[] = () => [],
): Promise<OpenedModel> {
  await refuseStrapiDatabase(store, META_TABLE)
  await createOwnTables(store, accessTables, ...sinkTables(given.config), ...learnedTables(given.config))
  const project = await projectToServe(store, given, production)
  const problems = [
    ...invalidPermissionsInConfig(project),
    ...storageProblems(project.config.upload),
    ...checkExtension(project.model),
  ]
  if (problems.length > 0) throw new ProjectError(project.dir, problems)
  // In production, a start with older schema files must not drop what a newer version has added.
  const accept = production ? 'nothing' : 'empty'
  const migrated = await migrate(store, project.model, { accept, beforeCommit: migrateAccess })
  if (migrated.plan.length > 0)
    await createAuditLog(store, project.config.audit).add(SYSTEM, schemaRecord(migrated.plan))
  return { project, ...migrated }
}

/**
 * Opens the database with its stored model, without migrating it to the schema files. A new database gets the model of
 * the project.
 */
export async function openStoredModel(store: Store, project: Project): Promise<OpenedModel> {
  await createOwnTables(store, accessTables, ...sinkTables(project.config), ...learnedTables(project.config))
  const stored = await readCurrentModel(store, project.model.locales)
  if (!stored) return openModel(store, project, true)
  return { project: { ...project, model: stored.layout.model }, ...stored }
}

/** The project to serve. If content-types may be edited in production, those of the database take precedence. */
export async function projectToServe(store: Store, given: Project, production: boolean): Promise<Project> {
  return production && given.config.schema.editable ? withStoredModel(store, given) : given
}

/** The project with the stored model, if the database has one. */
async function withStoredModel(store: Store, project: Project): Promise<Project> {
  const stored = await readStoredSchema(store)
  if (!stored) return project
  const parsed = parseModel(stored.sources, project.model.locales)
  if (!parsed.ok) throw new ProjectError(project.dir, parsed.problems)
  return { ...project, model: parsed.model, sources: stored.sources }
}
