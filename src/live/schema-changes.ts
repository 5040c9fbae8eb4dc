/**
 * Changes of the model while the server runs: planned, applied to the database, written to the schema files in
 * development, and taken up by this process before the answer. One at a time.
 */
import type { FastifyBaseLogger } from 'fastify'
import { invalidPermissionsInConfig } from '../access/roles/invalid-permissions.ts'
import { migratePermissions } from '../access/roles/migrate-permissions.ts'
import { errors, messageOf } from '../errors.ts'
import type { Project } from '../model/load-project.ts'
import { parseModel } from '../model/parse-model.ts'
import { formatProblem, type ProjectProblem } from '../project/problems.ts'
import type { SchemaSource } from '../project/source.ts'
import { type PreparedFiles, prepareSchemas } from '../project/write-schemas.ts'
import { StartError } from '../store/errors.ts'
import { migrate, planMigration } from '../store/migration/migrate.ts'
import {
  type AcceptedLoss,
  MigrationRefused,
  type PlannedChange,
} from '../store/migration/plan/migration-plan.ts'
import { SchemaChanged } from '../store/schema-changed.ts'
import type { Store } from '../store/store.ts'
import { type LiveModel, retryWithLatestModel } from './live-model.ts'
import type { ModelState } from './model-state.ts'

/** Makes the next list of schemas from the present one. */
export type SchemaEdit = (sources: readonly SchemaSource[]) => readonly SchemaSource[]

export interface SchemaChanges {
  /** What a change would do. */
  plan(edit: SchemaEdit): Promise<readonly PlannedChange[]>
  /** Changes the model; refused when it takes away more than `accept` says. */
  apply(edit: SchemaEdit, accept: AcceptedLoss): Promise<AppliedChange>
  /** Takes up schema files that were edited on disk. They are not written back. */
  applyFiles(sources: readonly SchemaSource[]): Promise<readonly PlannedChange[]>
}

/** What was done, and why the schema files do not say so; null when they do. */
export interface AppliedChange {
  readonly plan: readonly PlannedChange[]
  readonly unwritten: string | null
}

const ATTEMPTS = 5

export function createSchemaChanges(
  store: Store,
  live: LiveModel,
  /** Whether schema files are written back. */
  writesFiles: boolean,
  log: Pick<FastifyBaseLogger, 'warn' | 'error'>,
  /** uids of content-types that the project's own code names. */
  namedInCode: readonly string[],
  /** Told when the model has changed. */
  changed: () => void,
): SchemaChanges {
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const turn = last.then(work, work)
    last = turn.catch(() => {})
    return turn
  }

  /** What the files said when they could last be written, if a change since could not be: the next one makes up for it. */
  let lagging: readonly SchemaSource[] | null = null

  async function changeFrom(
    state: ModelState,
    edit: SchemaEdit,
    accept: AcceptedLoss,
    toFiles: boolean,
  ): Promise<AppliedChange> {
    const before = state.project.sources
    const project = projectOf(state.project, edit(before))
    await refuseRenames(state, project)
    const files = toFiles
      ? await prepareSchemas(project.dir, lagging ?? before, project.sources).catch(unwritable)
      : null
    try {
      const {
        layout,
        schemaVersion: number,
        plan,
      } = await migrate(store, project.model, {
        accept,
        fromVersion: state.schemaVersion,
        beforeCommit: migratePermissions,
      })
      live.activate(project, layout, number)
      const unwritten = files && (await putInPlace(files, lagging ?? before))
      for (const note of leftInConfig(project, plan)) log.warn(note)
      changed()
      return { plan, unwritten }
    } catch (error) {
      await files?.discard()
      throw error
    }
  }

  /** While the project's code runs, a type that it names keeps its name: under another its policies would not be asked. */
  async function refuseRenames({ project: { model } }: ModelState, next: Project) {
    const gone = namedInCode.filter((uid) => model.types.has(uid) && !next.model.types.has(uid))
    const plan = gone.length > 0 ? await planMigration(store, next.model) : []
    for (const { change } of plan)
      if (change.kind === 'renameType' && gone.includes(change.on.previous.uid))
        throw errors.application(
          `extend names ${change.on.previous.uid}: stop the server, call it ${change.on.next.uid} in both places, and start again`,
        )
  }

  /** The change holds by now: files that cannot follow it are told of, and do not make it a failure. */
  async function putInPlace(files: PreparedFiles, before: readonly SchemaSource[]): Promise<string | null> {
    try {
      await files.commit()
      lagging = null
      return null
    } catch (error) {
      lagging = before
      await files.discard().catch(() => {})
      const unwritten = `The change is made, but the schema files could not be written and are behind: ${messageOf(error)}`
      log.error(
        `${unwritten}. The next change over HTTP writes them; a start before that would go back to what they say`,
      )
      return unwritten
    }
  }

  async function change(edit: SchemaEdit, accept: AcceptedLoss, toFiles: boolean) {
    for (let attempt = 1; ; attempt++) {
      try {
        return await changeFrom(await live.refresh(), edit, accept, toFiles)
      } catch (error) {
        if (!(error instanceof SchemaChanged) || attempt === ATTEMPTS) throw error
      }
    }
  }

  return {
    async plan(edit) {
      await live.refresh()
      // What another change has moved meanwhile is looked for again.
      const plan = async (state: ModelState) => {
        const next = projectOf(state.project, edit(state.project.sources))
        await refuseRenames(state, next)
        return planMigration(store, next.model)
      }
      return retryWithLatestModel(live, plan, true)
    },
    async apply(edit, accept) {
      try {
        return await inTurn(() => change(edit, accept, writesFiles))
      } catch (error) {
        throw refusal(error)
      }
    },
    applyFiles: (sources) =>
      inTurn(async () => {
        const { plan } = await change(() => sources, 'empty', false)
        // They say what holds, whatever could not be written before.
        lagging = null
        return plan
      }),
  }
}

/** What went, or has another name now, while the configuration still speaks of it: the next start would fail. */
const leftInConfig = (project: Project, plan: readonly PlannedChange[]): string[] => [
  ...leftInRoles(project, plan),
  ...invalidPermissionsInConfig(project).map(
    (problem) => `${formatProblem(problem)}; correct it before the next start`,
  ),
]

const leftInRoles = ({ config }: Project, plan: readonly PlannedChange[]): string[] =>
  plan.flatMap(({ change }) => {
    const [gone, now] =
      change.kind === 'dropType'
        ? [change.type.uid, null]
        : change.kind === 'renameType'
          ? [change.on.previous.uid, change.on.next.uid]
          : []
    const isNamed = Object.values(config.roles).some(
      (permissions) => gone !== undefined && gone in permissions,
    )
    return isNamed
      ? [`config/roles still names ${gone}: ${now ? `call it ${now}` : 'take it out'} before the next start`]
      : []
  })

function unwritable(error: unknown): never {
  throw errors.application(`The schema files cannot be written: ${messageOf(error)}`)
}

function projectOf(project: Project, sources: readonly SchemaSource[]): Project {
  const parsed = parseModel(sources, project.model.locales)
  if (!parsed.ok) throw invalidSchemas(parsed.problems)
  return { ...project, model: parsed.model, sources }
}

const invalidSchemas = (problems: readonly ProjectProblem[]) =>
  errors.invalidValues(
    problems.map(({ file, path, message }) => ({
      path: path === '' ? [] : path.split('.'),
      message: `${file}: ${path === '' ? '' : `${path}: `}${message}`,
    })),
  )

/** A change as it is told over HTTP. */
export const changeJson = ({
  change,
  description: words,
  effect,
  rows,
  affected,
  documents,
  hint,
}: PlannedChange) => ({
  kind: change.kind,
  effect,
  words,
  rows,
  affected,
  documents,
  ...(hint !== null && { hint }),
})

function refusal(error: unknown): unknown {
  if (error instanceof MigrationRefused)
    return errors.migrationRefused(
      error.refused.map(({ description: words }) => words),
      error.refused.every(({ effect }) => effect !== 'blocked'),
      error.plan.map(changeJson),
    )
  if (error instanceof StartError) return errors.application(error.message)
  return error
}
