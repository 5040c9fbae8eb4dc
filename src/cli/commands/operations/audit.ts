/** `octavo audit`: lists, exports and verifies the audit log of a database, whether or not the server is running. */

import { type Command, InvalidArgumentError, Option } from 'commander'
import type { AuditRecord } from '../../../events/audit/audit-record.ts'
import type { ChainPosition } from '../../../events/audit/chain.ts'
import { type AuditFilter, readAuditInOrder, readAuditPage } from '../../../events/audit/read.ts'
import { AUDIT } from '../../../events/audit/tables.ts'
import { verifyAudit } from '../../../events/audit/verify.ts'
import { formatInstant, parseInstant } from '../../../model/scalars/shared/instants.ts'
import { ownCommand } from '../../../project/own-command.ts'
import type { Store } from '../../../store/store.ts'
import { openExistingDatabase } from '../../database.ts'
import { UsageError } from '../../error-message.ts'
import { databaseOption, type ProjectOptions, projectOption } from '../../options.ts'
import { projectOf } from '../../project.ts'

interface FilterOptions extends ProjectOptions {
  readonly by?: string
  readonly action?: string
  readonly type?: string
  readonly document?: string
  readonly since?: string
  readonly until?: string
}

interface ListOptions extends FilterOptions {
  readonly limit: number
  readonly json?: boolean
}

interface VerifyOptions extends ProjectOptions {
  readonly checkpoint?: ChainPosition
}

const DEFAULT_LIMIT = 100

/** Adds the command and its subcommands. */
export function addAudit(program: Command): void {
  const audit = program.command('audit').description('list, export and verify the audit log')

  withFilters(
    audit
      .command('list', { isDefault: true })
      .description('list the newest records, with the latest at the end'),
  )
    .option('--limit <number>', 'maximum number of records', parseNumber, DEFAULT_LIMIT)
    .option('--json', 'print JSON')
    .action(list)

  withFilters(
    audit.command('export').description('print all records as JSON lines, the oldest first'),
  ).action(exportLines)

  audit
    .command('verify')
    .description('check that no record was changed or removed')
    .addOption(
      new Option('--checkpoint <number:hash>', 'the last record of an earlier verification').argParser(
        parseCheckpoint,
      ),
    )
    .addOption(projectOption())
    .addOption(databaseOption())
    .action(verify)
}

const withFilters = (command: Command): Command =>
  command
    .option(
      '--since <time>',
      'only records from this time on: ISO 8601, or such as 30m, 12h or 7d',
      parseTime,
    )
    .option('--until <time>', 'only records before this time', parseTime)
    .option('--by <author>', 'only records of user:<documentId>, token:<id>, public or system')
    .option('--action <action>', 'only records of this action, such as token.create')
    .option('--type <uid>', 'only records about this content-type')
    .option('--document <documentId>', 'only records about this document')
    .addOption(projectOption())
    .addOption(databaseOption())

const filterOf = ({ by, action, type, document, since, until }: FilterOptions): AuditFilter => ({
  ...(by !== undefined && { by }),
  ...(action !== undefined && { action }),
  ...(type !== undefined && { type }),
  ...(document !== undefined && { documentId: document }),
  ...(since !== undefined && { from: since }),
  ...(until !== undefined && { to: until }),
})

async function withAudit(options: ProjectOptions, work: (store: Store) => Promise<void>): Promise<void> {
  const store = await openExistingDatabase(await projectOf(options), AUDIT)
  try {
    await work(store)
  } finally {
    await store.close()
  }
}

async function list(options: ListOptions): Promise<void> {
  await withAudit(options, async (store) => {
    const records = await readAuditPage(store, filterOf(options), options.limit, null)
    if (options.json) return print(`${JSON.stringify(records, null, 2)}\n`)
    if (records.length === 0) return print('No records.\n')
    for (const record of records.toReversed()) print(`${lineOf(record)}\n`)
    if (records.length === options.limit)
      print(
        `The newest ${records.length}; list more with --limit, or all with: ${ownCommand('audit export')}\n`,
      )
  })
}

function lineOf({ seq, at, by, action, type, documentId, locale, fields, details, address }: AuditRecord) {
  const author = by.id === undefined ? by.kind : `${by.kind}:${by.id}`
  return [
    `${String(seq).padStart(6)}  ${at}  ${author}  ${action}`,
    ...[type, documentId, locale, fields.join(','), details && JSON.stringify(details)],
    address === null ? null : `from ${address}`,
  ]
    .filter((part) => part !== null && part !== '')
    .join('  ')
}

async function exportLines(options: FilterOptions): Promise<void> {
  await withAudit(options, async (store) => {
    for await (const records of readAuditInOrder(store, filterOf(options)))
      await written(`${records.map((record) => JSON.stringify(record)).join('\n')}\n`)
  })
}

/** Waits until the text is written: a log is larger than the memory that a slow reader should cost. */
const written = (text: string) =>
  new Promise<void>((resolve, reject) =>
    process.stdout.write(text, (error) => (error ? reject(error) : resolve())),
  )

async function verify({ checkpoint, ...options }: VerifyOptions): Promise<void> {
  await withAudit(options, async (store) => {
    let reported = 0
    const { records, from, last, problems } = await verifyAudit(store, checkpoint ?? null, (count) => {
      if (!process.stderr.isTTY || count - reported < 100_000) return
      reported = count
      process.stderr.write(`${count} records\n`)
    })
    if (problems.length > 0)
      throw new UsageError(
        `The audit log was tampered with:\n${problems.map((one) => `  ${one}`).join('\n')}`,
      )
    if (last.seq === 0) return print('The audit log is empty.\n')
    const deleted = from.seq === 0 ? '' : ` Records up to ${from.seq} were deleted by retention.`
    print(`${records} records are unchanged.${deleted}\nCheckpoint: ${last.seq}:${last.hash}\n`)
  })
}

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

function parseTime(text: string): string {
  const [, count, unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? []
  const time = count === undefined ? parseInstant(text) : Date.now() - Number(count) * (UNITS[unit] ?? 0)
  const instant = time === null ? null : formatInstant(time)
  if (instant === null)
    throw new InvalidArgumentError('Expected an ISO 8601 date and time, or a duration such as 12h or 7d.')
  return instant
}

function parseCheckpoint(text: string): ChainPosition {
  const [, seq, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? []
  if (seq === undefined || hash === undefined)
    throw new InvalidArgumentError('Expected a number and a hash, as `octavo audit verify` prints them.')
  return { seq: Number(seq), hash }
}

function parseNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text) || Number(text) === 0)
    throw new InvalidArgumentError('Expected a positive number.')
  return Number(text)
}

const print = (text: string) => void process.stdout.write(text)
