/** Checks the database: connection, version, replicas, and pending schema changes. */

import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '../../errors.ts'
import type { Project } from '../../model/load-project.ts'
import { ownCommand } from '../../project/own-command.ts'
import { compile } from '../../store/compile.ts'
import { StartError } from '../../store/errors.ts'
import { listBackups } from '../../store/migration/apply/backups.ts'
import { canHaveSearch, needsSearch } from '../../store/migration/apply/search-indexes.ts'
import { planMigration } from '../../store/migration/migrate.ts'
import { changesToReport, type PlannedChange } from '../../store/migration/plan/migration-plan.ts'
import { connectionOptions, openStore } from '../../store/open.ts'
import type { Store } from '../../store/store.ts'
import { hasTable, isMissingFile, printableUrl, wouldBeCreated } from '../database.ts'
import { error, type Finding, ok, warning } from './finding.ts'

/** Null when opening the database would write to it. */
export async function openForChecks(project: Project): Promise<Store | null | Finding> {
  const { config, dir } = project
  try {
    if (wouldBeCreated(project)) return null
    return await openStore(config.database.url, {
      ...connectionOptions(config.database),
      directory: dir,
      poolSize: 1,
      replicas: config.database.replicas,
    })
  } catch (failure) {
    const known = failure instanceof StartError ? failure.remedy : null
    return error(messageOf(failure), known ?? 'correct database.url, or start the database server')
  }
}

export async function checkDatabase(store: Store | null, project: Project): Promise<Finding[]> {
  const { config, model } = project
  const place = printableUrl(config.database.url)
  if (isMissingFile(project)) return [ok(`Database: ${place} does not exist yet; the first start creates it`)]
  const unused = ok('Database: has no Octavo tables yet; the first start creates them')
  if (!store) return [ok(`Database: ${place}`), unused]
  const findings = [ok(`Database: ${place}, ${await versionOf(store)}`), ...(await checkReplicas(store))]
  if (!(await hasTable(store))) return [...findings, unused]
  try {
    findings.push(pendingChanges(await planMigration(store, model)))
    if (needsSearch(model) && !(await canHaveSearch(store, model, { hasSearch: false })))
      findings.push(
        warning(
          'Database: PostgreSQL does not have the extension pg_trgm, so searches read every document',
          'run CREATE EXTENSION pg_trgm as an administrator of the database, and restart the server',
        ),
      )
    const backups = await listBackups(store)
    if (backups.length > 0)
      findings.push(
        warning(
          `Database: ${backups.length} backups of deleted content are kept`,
          `delete them with "${ownCommand('migrate --sweep')}" when they are no longer needed`,
        ),
      )
  } catch (failure) {
    findings.push(error(`Database: ${messageOf(failure)}`, 'update Octavo, or use a separate database'))
  }
  return findings
}

const REPLICA_TIMEOUT_MS = 2_000

async function checkReplicas(store: Store): Promise<Finding[]> {
  const until = performance.now() + REPLICA_TIMEOUT_MS
  const leftOut = () => store.metrics().replicas.filter((replica) => replica.leftOut !== null)
  while (leftOut().length > 0 && performance.now() < until) await sleep(50)
  return store
    .metrics()
    .replicas.map(({ name, leftOut }) =>
      leftOut === null
        ? ok(`Replica: ${name} serves reads`)
        : warning(
            `Replica: ${name} is not used: ${leftOut}`,
            'start the replica, or correct database.replicas; until then the primary serves its reads',
          ),
    )
}

async function versionOf(store: Store): Promise<string> {
  const [row] = await store.read(compile(store.dialect, store.dialect.engineVersion))
  return String(row?.version)
}

const MAX_LISTED_CHANGES = 10

function pendingChanges(plan: readonly PlannedChange[]): Finding {
  if (plan.length === 0) return ok('Database: up to date with the schema files')
  const words = changesToReport(plan)
    .slice(0, MAX_LISTED_CHANGES)
    .flatMap(({ description: words, hint }) => [words, ...(hint === null ? [] : [`  ${hint}`])])
  if (plan.length > MAX_LISTED_CHANGES) words.push(`and ${plan.length - MAX_LISTED_CHANGES} more`)
  const text = ['Database: the schema files have changed since the last start:', ...words].join('\n')
  if (plan.some(({ effect }) => effect === 'blocked'))
    return error(
      text,
      `change the content or the schema files; "${ownCommand('migrate --plan')}" lists the documents`,
    )
  if (plan.some(({ effect }) => effect === 'lossy' || effect === 'empty'))
    return error(
      text,
      `review the change with "${ownCommand('migrate --plan')}", apply it with "${ownCommand('migrate --confirm')}"`,
    )
  return warning(text, `no content is lost; the next start or "${ownCommand('migrate')}" applies the change`)
}
