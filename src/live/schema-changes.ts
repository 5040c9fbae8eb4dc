/**
 * Changes the model of a running server: plans and applies the migration, writes the schema files in development, and
 * activates the new model. One change at a time.
 */
import type { FastifyBaseLogger } from 'fastify'
import { migrateAccess } from '../access/migrate-access.ts'
import { invalidPermissionsInConfig } from '../access/roles/invalid-permissions.ts'
import { errors, messageOf } from '../errors.ts'
import type { Project } from '../model/load-project.ts'
import type { Model } from '../model/model.ts'
import { parseModel } from '../model/parse-model.ts'
import { formatProblem, type ProjectProblem } from '../project/problems.ts'
import type { SchemaSource } from '../project/source.ts'
import { type PreparedFiles, prepareSchemas } from '../project/write-schemas.ts'
import { StartError } from '../store/errors.ts'
import { migrate, planMigration } from '../store/migration/migrate.ts'
import type { Change } from '../store/migration/plan/change.ts'
import {
  type AcceptedLoss,
  MigrationRefused,
  type PlannedChange,
} from '../store/migration/plan/migration-plan.ts'
import type { Store } from '../store/store.ts'
import { type ClientChange, clientChanges } from './client-changes.ts'
import type { LiveModel } from './live-model.ts'
import type { ModelState } from './model-state.ts'
import { retryWithLatestModel } from './retry-with-latest-model.ts'

type Sources = readonly SchemaSource[]

/** Derives the next schemas from the current ones. */
export type SchemaEdit = (sources: Sources) => Sources

export interface SchemaChanges {
  /** Throws what is wrong with the schemas after an edit. Reads no content. */
  check(edit: SchemaEdit): Promise<void>
  plan(edit: SchemaEdit): Promise<PlannedEdit>
  /** Applies an edit; refused if it loses more than `accept` allows, or if the schema version is not the expected one. */
  apply(edit: SchemaEdit, accept: AcceptedLoss, expectedVersion?: number | null): Promise<AppliedChange>
  /** Runs other work on the model when no change is being applied. */
  exclusively<Result>(work: () => Promise<Result>): Promise<Result>
  /**
   * Applies schema files that were edited on disk. They are not written back, and read while no other change is being
   * applied, so that they are never those from before a change that was written to them.
   */
  applyFiles(read: (locales: Model['locales']) => Promise<Sources>): Promise<readonly PlannedChange[]>
}

export interface PlannedEdit {
  readonly plan: readonly PlannedChange[]
  readonly clients: readonly ClientChange[]
}

export interface AppliedChange extends PlannedEdit {
  /** Why the schema files were not written, or null if they were. */
  readonly unwritten: string | null
}

export interface SchemaChangeOptions {
  readonly store: Store
  readonly live: LiveModel
  /** Whether changes are written to the schema files. */
  readonly writesFiles: boolean
  readonly log: Pick<FastifyBaseLogger, 'warn' | 'error'>
  /** The uids of content-types that the project's own code refers to. */
  readonly typesInCode: readonly string[]
  readonly onApplied: () => void
}

export function createSchemaChanges(options: SchemaChangeOptions): SchemaChanges {
  const { store, live, writesFiles, log, typesInCode, onApplied } = options
  let lastChange: Promise<unknown> = Promise.resolve()
  const oneAtATime = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const change = lastChange.then(work, work)
    lastChange = change.catch(() => {})
    return change
  }

  /** The schemas that the files hold, if a later change could not be written. The next change writes both. */
  let outdatedFiles: Sources | null = null

  async function applyTo(
    state: ModelState,
    edit: SchemaEdit,
    accept: AcceptedLoss,
    writeFiles: boolean,
  ): Promise<AppliedChange> {
    const project = editProject(state.project, edit)
    await refuseRenamesOfTypesInCode(state, project)
    const inFiles = outdatedFiles ?? state.project.sources
    const files = writeFiles
      ? await prepareSchemas(project.dir, inFiles, project.sources).catch(filesNotWritable)
      : null
    try {
      const { layout, schemaVersion, plan } = await migrate(store, project.model, {
        accept,
        fromVersion: state.schemaVersion,
        beforeCommit: migrateAccess,
      })
      live.activate(project, layout, schemaVersion)
      const unwritten = files && (await commitFiles(files, inFiles))
      for (const warning of configWarnings(project, plan)) log.warn(warning)
      onApplied()
      return { plan, unwritten, clients: clientChanges(state.project.model, project.model) }
    } catch (error) {
      await files?.discard()
      throw error
    }
  }

  /** Policies and hooks in code are found by uid: after a rename they would no longer apply. */
  async function refuseRenamesOfTypesInCode({ project: { model } }: ModelState, next: Project) {
    const missing = typesInCode.filter((uid) => model.types.has(uid) && !next.model.types.has(uid))
    const plan = missing.length > 0 ? await planMigration(store, next.model) : []
    for (const { change } of plan)
      if (change.kind === 'renameType' && missing.includes(change.on.previous.uid))
        throw errors.application(
          `${change.on.previous.uid} is used in extend and cannot be renamed while the server runs. Stop the server, rename it to ${change.on.next.uid} in the schema files and in extend, and start again.`,
        )
  }

  /** The change is already applied, so a failure to write the files is reported, not thrown. */
  async function commitFiles(files: PreparedFiles, inFiles: Sources): Promise<string | null> {
    try {
      await files.commit()
      outdatedFiles = null
      return null
    } catch (error) {
      outdatedFiles = inFiles
      await files.discard().catch(() => {})
      const unwritten = `The change was applied, but the schema files could not be written: ${messageOf(error)}`
      log.error(
        `${unwritten}. The next change over HTTP writes them. A restart before that would revert the change.`,
      )
      return unwritten
    }
  }

  async function applyToLatest(
    edit: SchemaEdit,
    accept: AcceptedLoss,
    writeFiles: boolean,
    expectedVersion: number | null = null,
  ) {
    await live.refresh()
    return retryWithLatestModel(live, (state) => {
      if (expectedVersion !== null && state.schemaVersion !== expectedVersion)
        throw errors.schemaChanged(expectedVersion, state.schemaVersion)
      return applyTo(state, edit, accept, writeFiles)
    })
  }

  return {
    async check(edit) {
      await live.refresh()
      editProject(live.current().project, edit)
    },
    async plan(edit) {
      await live.refresh()
      const plan = async (state: ModelState): Promise<PlannedEdit> => {
        const next = editProject(state.project, edit)
        await refuseRenamesOfTypesInCode(state, next)
        return {
          plan: await planMigration(store, next.model),
          clients: clientChanges(state.project.model, next.model),
        }
      }
      return retryWithLatestModel(live, plan, true)
    },
    async apply(edit, accept, expectedVersion) {
      try {
        return await oneAtATime(() => applyToLatest(edit, accept, writesFiles, expectedVersion))
      } catch (error) {
        throw asApiError(error)
      }
    },
    exclusively: oneAtATime,
    applyFiles: (read) =>
      oneAtATime(async () => {
        const sources = await read(live.current().project.model.locales)
        const { plan } = await applyToLatest(() => sources, 'empty', false)
        outdatedFiles = null
        return plan
      }),
  }
}

/** References in the configuration that would make the next start fail. */
const configWarnings = (project: Project, plan: readonly PlannedChange[]): string[] => [
  ...roleWarnings(project, plan),
  ...invalidPermissionsInConfig(project).map(
    (problem) => `${formatProblem(problem)}; correct it before the next start`,
  ),
]

function roleWarnings({ config }: Project, plan: readonly PlannedChange[]): string[] {
  const isInRoles = (uid: string) => Object.values(config.roles).some((permissions) => uid in permissions)
  return plan.flatMap(({ change }) => {
    if (change.kind === 'dropType' && isInRoles(change.type.uid))
      return [`config/roles still refers to ${change.type.uid}: remove it before the next start`]
    if (change.kind === 'renameType' && isInRoles(change.on.previous.uid))
      return [
        `config/roles still refers to ${change.on.previous.uid}: rename it to ${change.on.next.uid} before the next start`,
      ]
    return []
  })
}

function filesNotWritable(error: unknown): never {
  throw errors.application(`The schema files cannot be written: ${messageOf(error)}`)
}

function editProject(project: Project, edit: SchemaEdit): Project {
  const sources = edit(project.sources)
  const parsed = parseModel(sources, project.model.locales)
  if (!parsed.ok) throw invalidSchemas(parsed.problems, sources)
  return { ...project, model: parsed.model, sources }
}

/** Each problem also names the schema that it is in, and what is wrong without the file. */
function invalidSchemas(problems: readonly ProjectProblem[], sources: Sources) {
  const uids = new Map(sources.map(({ file, uid }) => [file, uid]))
  return errors.invalidValues(
    problems.map((problem) => ({
      path: problem.path === '' ? [] : problem.path.split('.'),
      message: formatProblem(problem),
      uid: uids.get(problem.file) ?? null,
      problem: problem.message,
    })),
  )
}

/** A change as the admin API returns it. */
export const changeJson = ({ change, description, hint, ...impact }: PlannedChange) => ({
  kind: change.kind,
  uid: changedUid(change),
  effect: impact.effect,
  words: description,
  rows: impact.rows,
  affected: impact.affected,
  documents: impact.documents,
  ...(hint !== null && { hint }),
})

/** The content-type or component that a change is about. */
function changedUid(change: Change): string {
  if ('type' in change) return change.type.uid
  return 'component' in change ? change.component.uid : change.on.next.uid
}

function asApiError(error: unknown): unknown {
  if (error instanceof MigrationRefused)
    return errors.migrationRefused(
      error.refused.map(({ description }) => description),
      error.refused.every(({ effect }) => effect !== 'blocked'),
      error.plan.map(changeJson),
    )
  if (error instanceof StartError) return errors.application(error.message)
  return error
}
