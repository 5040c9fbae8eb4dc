/** `octavo migrate`: plans what the schema files ask of the database, applies it, and sweeps what it has set aside. */
import type { Command } from 'commander'
import {
  invalidPermissionsInConfig,
  storedPermissionWarnings,
} from '../../access/roles/invalid-permissions.ts'
import { followChanges, permissionsAfter } from '../../access/roles/migrate-permissions.ts'
import { readStoredPermissions, type StoredPermissions } from '../../access/roles/stored-permissions.ts'
import { createTables } from '../../access/tables.ts'
import type { Project } from '../../model/load-project.ts'
import type { Model } from '../../model/model.ts'
import { formatProblem } from '../../project/problems.ts'
import { type Backup, listBackups, purgeBackups } from '../../store/migration/apply/backups.ts'
import { migrateTo, planMigration } from '../../store/migration/migrate.ts'
import {
  changesToReport,
  type PlannedChange,
  refusedChanges,
} from '../../store/migration/plan/migration-plan.ts'
import type { Store } from '../../store/store.ts'
import { lookAt, openDatabase, openUsed } from '../database.ts'
import { UsageError } from '../error-message.ts'
import { databaseOption, type ProjectOptions, projectOption } from '../options.ts'
import { projectOf } from '../project.ts'

interface MigrateOptions extends ProjectOptions {
  readonly plan?: boolean
  readonly confirm?: boolean
  readonly sweep?: boolean
}

/** Adds the command. */
export function addMigrate(program: Command) {
  program
    .command('migrate')
    .description('bring the database in line with the schema files')
    .option('--plan', 'say what would happen, and change nothing')
    .option('--confirm', 'also apply what takes content away; a backup of it is kept')
    .option('--sweep', 'list the backups that migrations have kept; with --confirm, drop them')
    .addOption(projectOption())
    .addOption(databaseOption())
    .action(migrateProject)
}

async function migrateProject(options: MigrateOptions) {
  const { plan, confirm = false, sweep } = options
  if (plan && (confirm || sweep))
    throw new UsageError('--plan changes nothing; leave out --confirm and --sweep')
  const project = await projectOf(options)
  if (plan) return print(await lookAt(project, (store) => plannedLines(store, project)))
  const store = await (sweep ? openUsed : openDatabase)(project)
  try {
    print(await (sweep ? sweepLines(store, confirm) : applyLines(store, project.model, confirm)))
  } finally {
    await store.close()
  }
}

const print = (lines: readonly string[]) => console.log(lines.join('\n'))

const UP_TO_DATE = 'The database is up to date.'

async function plannedLines(store: Store, project: Project): Promise<string[]> {
  const plan = await planMigration(store, project.model)
  return [...planLines(plan), ...permissionLines(project, plan, await readStoredPermissions(store))]
}

/** Permissions that the content-types cannot follow once they are as planned. */
function permissionLines(
  project: Project,
  plan: readonly PlannedChange[],
  granted: StoredPermissions,
): string[] {
  const changes = plan.map(({ change }) => change)
  const roles = [...granted.roles].map(
    ([role, permissions]) => [role, permissionsAfter(permissions, changes, project.model)] as const,
  )
  const tokens = granted.tokens.map((token) => ({
    ...token,
    permissions: token.permissions && permissionsAfter(token.permissions, changes, project.model),
  }))
  const lines = [
    ...invalidPermissionsInConfig(project).map(formatProblem),
    ...storedPermissionWarnings(project, { roles: new Map(roles), tokens }),
  ]
  return lines.length > 0 ? ['These permissions will not fit:', ...lines.map((line) => `  ${line}`)] : []
}

function planLines(plan: readonly PlannedChange[]): string[] {
  if (plan.length === 0) return [UP_TO_DATE]
  const refused = refusedChanges(plan, 'everything').length
  const unconfirmed = refusedChanges(plan, 'nothing').length
  return [
    'The schema files ask for these changes:',
    ...changesToReport(plan).flatMap((one) => [
      `  ${one.description}${markOf(one)}`,
      ...(one.hint === null ? [] : [`    ${one.hint}`]),
    ]),
    refused > 0
      ? 'Nothing was changed, and cannot be while the content is in the way.'
      : `Nothing was changed. Apply it with: octavo migrate${unconfirmed > 0 ? ' --confirm' : ''}`,
  ]
}

function markOf({ effect }: PlannedChange): string {
  switch (effect) {
    case 'blocked':
      return '  [in the way]'
    case 'empty':
    case 'lossy':
      return '  [needs --confirm]'
    default:
      return ''
  }
}

async function applyLines(store: Store, model: Model, confirm: boolean): Promise<string[]> {
  await createTables(store)
  const { plan } = await migrateTo(store, model, {
    accept: confirm ? 'everything' : 'nothing',
    beforeCommit: followChanges,
  })
  return plan.length > 0
    ? ['Done:', ...changesToReport(plan).map(({ description: words }) => `  ${words}`)]
    : [UP_TO_DATE]
}

async function sweepLines(store: Store, confirm: boolean): Promise<string[]> {
  const backups = await (confirm ? purgeBackups(store) : listBackups(store))
  if (backups.length === 0) return ['There are no backups.']
  return [
    ...backups.map(lineOf),
    confirm ? 'They are dropped for good.' : 'Drop them for good with: octavo migrate --sweep --confirm',
  ]
}

const lineOf = ({ name, of, at }: Backup) => `${at}  ${of}  (${name})`
