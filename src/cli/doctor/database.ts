/** Checks of the database: whether it can be reached, which version it is, and whether it fits the model. */
import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '../../errors.ts'
import type { Project } from '../../model/load-project.ts'
import { compile } from '../../store/compile.ts'
import { listBackups } from '../../store/migration/apply/backups.ts'
import { planMigration } from '../../store/migration/migrate.ts'
import { changesToReport, type PlannedChange } from '../../store/migration/plan/migration-plan.ts'
import { openStore } from '../../store/open.ts'
import type { Store } from '../../store/store.ts'
import { hasTable, isMissingFile, printableUrl, wouldBeCreated } from '../database.ts'
import { bad, type Finding, good, notice } from './finding.ts'

/** Opens the database for the checks that need it; null when to open it would write to it. */
export async function openForChecks(project: Project): Promise<Store | null | Finding> {
  const { config, dir } = project
  try {
    if (wouldBeCreated(project)) return null
    return await openStore(config.database.url, {
      directory: dir,
      poolSize: 1,
      replicas: config.database.replicas,
    })
  } catch (failure) {
    return bad(messageOf(failure), 'correct database.url, or start the database server')
  }
}

/** What is to be said of an open database. */
export async function checkDatabase(store: Store | null, project: Project): Promise<Finding[]> {
  const { config, model } = project
  const place = printableUrl(config.database.url)
  if (isMissingFile(project)) return [good(`Database: ${place} is not there yet; the first start makes it`)]
  const unused = good('Database: has nothing of Octavo yet; the first start makes the tables')
  if (!store) return [good(`Database: ${place}`), unused]
  const findings = [good(`Database: ${place}, ${await versionOf(store)}`), ...(await checkReplicas(store))]
  if (!(await hasTable(store))) return [...findings, unused]
  try {
    findings.push(pending(await planMigration(store, model)))
    const backups = await listBackups(store)
    if (backups.length > 0)
      findings.push(
        notice(
          `Database: ${backups.length} backups of what migrations took away are kept`,
          'drop them with `octavo migrate --sweep` when nobody misses them',
        ),
      )
  } catch (failure) {
    findings.push(bad(`Database: ${messageOf(failure)}`, 'update Octavo, or use a database of its own'))
  }
  return findings
}

/** Milliseconds that replicas are given to be found well. */
const PATIENCE = 2_000

async function checkReplicas(store: Store): Promise<Finding[]> {
  const until = performance.now() + PATIENCE
  const leftOut = () => store.metrics().replicas.filter((replica) => replica.leftOut !== null)
  while (leftOut().length > 0 && performance.now() < until) await sleep(50)
  return store
    .metrics()
    .replicas.map(({ name, leftOut }) =>
      leftOut === null
        ? good(`Replica: ${name} serves reads`)
        : notice(
            `Replica: ${name} would be left out: ${leftOut}`,
            'start it, or correct database.replicas; reads go to the primary meanwhile',
          ),
    )
}

async function versionOf(store: Store): Promise<string> {
  const [row] = await store.read(compile(store.dialect, store.dialect.engineVersion))
  return String(row?.version)
}

const SHOWN = 10

function pending(plan: readonly PlannedChange[]): Finding {
  if (plan.length === 0) return good('Database: in line with the schema files')
  const words = changesToReport(plan)
    .slice(0, SHOWN)
    .flatMap(({ description: words, hint }) => [words, ...(hint === null ? [] : [`  ${hint}`])])
  if (plan.length > SHOWN) words.push(`and ${plan.length - SHOWN} more`)
  const text = [`Database: the schema files have changed since the last start:`, ...words].join('\n')
  if (plan.some(({ effect }) => effect === 'blocked'))
    return bad(text, 'change the content or the schema files; `octavo migrate --plan` names the documents')
  if (plan.some(({ effect }) => effect === 'lossy' || effect === 'empty'))
    return bad(text, 'look at it with `octavo migrate --plan`, apply it with `octavo migrate --confirm`')
  return notice(text, 'nothing is lost: the next start or `octavo migrate` applies it')
}
