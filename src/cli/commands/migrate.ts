/** `octavo migrate`: shows or applies the migration to the schema files, and lists or deletes the backups of earlier ones. */

import type { Command } from 'commander'
import { migrateAccess } from '../../access/migrate-access.ts'
import {
  invalidPermissionsInConfig,
  storedPermissionWarnings,
} from '../../access/roles/invalid-permissions.ts'
import { migratedPermissions } from '../../access/roles/migrate-permissions.ts'
import { readStoredPermissions, type StoredPermissions } from '../../access/roles/stored-permissions.ts'
import { accessTables } from '../../access/tables.ts'
import { createAuditLog } from '../../events/audit/append.ts'
import { SYSTEM } from '../../events/audit/audit-record.ts'
import { auditTables } from '../../events/audit/tables.ts'
import { schemaRecord } from '../../live/schema-record.ts'
import type { Project } from '../../model/load-project.ts'
import { ownCommand } from '../../project/own-command.ts'
import { formatProblem } from '../../project/problems.ts'
import { type Backup, listBackups, purgeBackups } from '../../store/migration/apply/backups.ts'
import { migrate, planMigration } from '../../store/migration/migrate.ts'
import {
  changeLines,
  changesToReport,
  type PlannedChange,
  refusedChanges,
} from '../../store/migration/plan/migration-plan.ts'
import type { Store } from '../../store/store.ts'
import { createOwnTables } from '../../store/tables/own-tables.ts'
import { openDatabase, openExistingDatabase, readDatabase } from '../database.ts'
import { UsageError } from '../error-message.ts'
import { databaseOption, type ProjectOptions, projectOption } from '../options.ts'
import { projectOf } from '../project.ts'

interface MigrateOptions extends ProjectOptions {
  readonly plan?: boolean
  readonly confirm?: boolean
  readonly sweep?: boolean
}

export function addMigrate(program: Command) {
  program
    .command('migrate')
    .description('migrate the database to the schema files')
    .option('--plan', 'show the planned changes without applying them')
    .option('--confirm', 'also apply changes that delete content; a backup is kept')
    .option('--sweep', 'list the backups of earlier migrations; with --confirm, delete them')
    .addOption(projectOption())
    .addOption(databaseOption())
    .action(migrateProject)
}

async function migrateProject(options: MigrateOptions) {
  const { plan, confirm = false, sweep } = options
  if (plan && (confirm || sweep)) throw new UsageError('--plan cannot be combined with --confirm or --sweep')
  const project = await projectOf(options)
  if (plan) return print(await readDatabase(project, (store) => planOutput(store, project)))
  const store = await (sweep ? openExistingDatabase : openDatabase)(project)
  try {
    print(await (sweep ? sweepBackups(store, confirm) : applyMigration(store, project, confirm)))
  } finally {
    await store.close()
  }
}

const print = (lines: readonly string[]) => console.log(lines.join('\n'))

const UP_TO_DATE = 'The database is up to date.'

async function planOutput(store: Store, project: Project): Promise<string[]> {
  const plan = await planMigration(store, project.model)
  return [...planLines(plan), ...permissionLines(project, plan, await readStoredPermissions(store))]
}

/** Permissions that will be invalid after the migration. */
function permissionLines(
  project: Project,
  plan: readonly PlannedChange[],
  granted: StoredPermissions,
): string[] {
  const changes = plan.map(({ change }) => change)
  const roles = [...granted.roles].map(
    ([role, permissions]) => [role, migratedPermissions(permissions, changes, project.model)] as const,
  )
  const tokens = granted.tokens.map((token) => ({
    ...token,
    permissions: token.permissions && migratedPermissions(token.permissions, changes, project.model),
  }))
  const lines = [
    ...invalidPermissionsInConfig(project).map(formatProblem),
    ...storedPermissionWarnings(project, { roles: new Map(roles), tokens }),
  ]
  return lines.length > 0
    ? ['Permissions that will be invalid after this migration:', ...lines.map((line) => `  ${line}`)]
    : []
}

function planLines(plan: readonly PlannedChange[]): string[] {
  if (plan.length === 0) return [UP_TO_DATE]
  const isBlocked = refusedChanges(plan, 'everything').length > 0
  const needsConfirmation = refusedChanges(plan, 'nothing').length > 0
  return [
    'Planned changes:',
    ...changesToReport(plan).flatMap((planned) => {
      const [description = '', ...hint] = changeLines(planned)
      return [description + markOf(planned), ...hint]
    }),
    isBlocked
      ? 'Nothing was changed. The migration is blocked by existing content.'
      : `Nothing was changed. Apply with: ${ownCommand(`migrate${needsConfirmation ? ' --confirm' : ''}`)}`,
  ]
}

function markOf({ effect }: PlannedChange): string {
  switch (effect) {
    case 'blocked':
      return '  [blocked]'
    case 'empty':
    case 'lossy':
      return '  [needs --confirm]'
    default:
      return ''
  }
}

async function applyMigration(
  store: Store,
  { model, config }: Pick<Project, 'model' | 'config'>,
  confirm: boolean,
): Promise<string[]> {
  await createOwnTables(store, accessTables, ...(config.audit.enabled ? [auditTables] : []))
  const { plan } = await migrate(store, model, {
    accept: confirm ? 'everything' : 'nothing',
    beforeCommit: migrateAccess,
  })
  if (plan.length === 0) return [UP_TO_DATE]
  await createAuditLog(store, config.audit).add(SYSTEM, schemaRecord(plan))
  return ['Applied changes:', ...changesToReport(plan).map(({ description }) => `  ${description}`)]
}

async function sweepBackups(store: Store, confirm: boolean): Promise<string[]> {
  const backups = await (confirm ? purgeBackups(store) : listBackups(store))
  if (backups.length === 0) return ['There are no backups.']
  return [
    ...backups.map(backupLine),
    confirm
      ? `Deleted ${backups.length === 1 ? '1 backup' : `${backups.length} backups`} permanently.`
      : `Delete them permanently with: ${ownCommand('migrate --sweep --confirm')}`,
  ]
}

const backupLine = ({ name, of, at }: Backup) => `${at}  ${of}  (${name})`
