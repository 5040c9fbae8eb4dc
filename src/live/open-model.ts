/** The model that a server starts with: what the schema files say, brought into the database. */

import { invalidPermissionsInConfig } from '../access/roles/invalid-permissions.ts'
import { migratePermissions } from '../access/roles/migrate-permissions.ts'
import { createTables } from '../access/tables.ts'
import { storageProblems } from '../media/storage/providers.ts'
import type { Project } from '../model/load-project.ts'
import type { Model } from '../model/model.ts'
import { parseModel } from '../model/parse-model.ts'
import { ProjectError, type ProjectProblem } from '../project/problems.ts'
import { readStoredSchema } from '../store/migration/meta-table.ts'
import { type MigrationResult, migrate, readCurrentModel } from '../store/migration/migrate.ts'
import type { Store } from '../store/store.ts'

export interface OpenedModel extends MigrationResult {
  readonly project: Project
}

/** Brings the database in line with the project; what takes content away is refused with a StartError. */
export async function openModel(
  store: Store,
  given: Project,
  production: boolean,
  /** What the project's own code names and the model does not have. */
  checkExtension: (model: Model) => readonly ProjectProblem[] = () => [],
): Promise<OpenedModel> {
  await createTables(store)
  const project = await projectToServe(store, given, production)
  const problems = [
    ...invalidPermissionsInConfig(project),
    ...storageProblems(project.config.upload),
    ...checkExtension(project.model),
  ]
  if (problems.length > 0) throw new ProjectError(project.dir, problems)
  // In development what was tried out and never used may go; in production a start with older files must not undo a newer one.
  const accept = production ? 'nothing' : 'empty'
  return { project, ...(await migrate(store, project.model, { accept, beforeCommit: migratePermissions })) }
}

/**
 * Opens the database with the model that its content was written for: edits of schema files wait for the next start or
 * migration. An empty database gets the model of the project.
 */
export async function openStoredModel(store: Store, project: Project): Promise<OpenedModel> {
  await createTables(store)
  const present = await readCurrentModel(store, project.model.locales)
  if (!present) return openModel(store, project, true)
  return { project: { ...project, model: present.layout.model }, ...present }
}

/** The project as it is served: where content-types are edited in production, those of the database count. */
export async function projectToServe(store: Store, given: Project, production: boolean): Promise<Project> {
  return production && given.config.schema.editable ? withStoredModel(store, given) : given
}

/** The project with the model that the database has, if it has one. */
async function withStoredModel(store: Store, project: Project): Promise<Project> {
  const kept = await readStoredSchema(store)
  if (!kept) return project
  const parsed = parseModel(kept.sources, project.model.locales)
  if (!parsed.ok) throw new ProjectError(project.dir, parsed.problems)
  return { ...project, model: parsed.model, sources: kept.sources }
}
