/** `octavo export`: writes the content, files, users, roles and tokens of a project to one archive. */
import { statSync } from 'node:fs'
import path from 'node:path'
import type { Command } from 'commander'
import { accessLines } from '../../access/transfer.ts'
import { HISTORY } from '../../documents/history/tables.ts'
import { historyLines } from '../../documents/history/transfer.ts'
import { edgeLines } from '../../documents/transfer/edges.ts'
import { rowLines } from '../../documents/transfer/rows.ts'
import { MissingContents } from '../../media/storage/storage.ts'
import { byteLines, storedKeys } from '../../media/transfer.ts'
import { FILE } from '../../model/model.ts'
import { sql } from '../../store/sql.ts'
import type { ReadRows } from '../../store/store.ts'
import { highestEntryId, highestRowId } from '../../store/tables/counters.ts'
import { EDGES, ownedRelations } from '../../store/tables/layout.ts'
import { type LineWriter, writeArchive } from '../archive/archive-file.ts'
import { type Header, headerLine, signatureOf, totalOf } from '../archive/header.ts'
import { interruptible } from '../archive/interruptible.ts'
import { leftOutOfArchive } from '../archive/left-out.ts'
import { type OpenProject, withProject } from '../archive/open-project.ts'
import { createProgress, type Progress, quantity } from '../archive/progress.ts'
import { UsageError } from '../error-message.ts'
import { databaseOption, type ProjectOptions, projectOption } from '../options.ts'
import { projectOf } from '../project.ts'

interface GivenOptions extends ProjectOptions {
  readonly force?: boolean
  readonly history?: boolean
  readonly withoutMedia?: boolean
}

interface ExportOptions extends ProjectOptions {
  readonly force?: boolean
  readonly history?: boolean
  readonly media: boolean
}

export function addExport(program: Command): void {
  program
    .command('export <file>')
    .description('write content, files, users, roles and tokens to an archive')
    .option('--force', 'replace the file if it exists')
    .option('--history', 'include the saved states of documents')
    .option('--without-media', 'do not include the bytes of files, only their records')
    .addOption(projectOption())
    .addOption(databaseOption())
    .addHelpText('after', HELP)
    .action((file: string, options: GivenOptions) =>
      exportProject(file, { ...options, media: !options.withoutMedia }),
    )
}

const HELP = `
The archive contains the database as it was when the command started, even if a server writes to it in the meantime.
It includes password and token hashes: protect it like the database itself.

  $ octavo export backup.octavo.jsonl.gz
  $ octavo import backup.octavo.jsonl.gz --database postgres://octavo@localhost/octavo`

async function exportProject(file: string, options: ExportOptions): Promise<void> {
  if (file === '') throw new UsageError('The path of the file to write is empty')
  if (!options.force && statSync(file, { throwIfNoEntry: false })?.isFile())
    throw new UsageError(`${file} exists already; choose another name, or replace it with --force`)
  await withProject(await projectOf(options), 'database', async (project) => {
    using progress = interruptible(createProgress(), 'no archive was written')
    const missing: string[] = []
    const { header, leftOut } = await project.store.snapshot(async (read) => {
      const header = await headerOf(read, project, options.media)
      await writeArchive(file, async (writer) => {
        await writer.write(headerLine(header))
        const lines =
          (await writeContent(writer, read, project, header, progress)) +
          (options.history ? await writeHistory(writer, read, project, progress) : 0) +
          (options.media ? await writeMedia(writer, read, project, progress, missing) : 0)
        await writer.write({ kind: 'end', lines })
      })
      const withHistory = options.history === true
      return { header, leftOut: await leftOutOfArchive(read, project.store.dialect, withHistory) }
    })
    progress.end()
    for (const key of missing) process.stderr.write(`Missing in file storage: ${key}\n`)
    if (leftOut.length > 0) process.stderr.write(`Not in the archive: ${leftOut.join(', ')}\n`)
    const rows = quantity(totalOf(header.rows), 'row')
    console.log(`Exported ${rows} and ${quantity(header.edges, 'relation')} to ${path.resolve(file)}`)
    if (missing.length > 0) process.exitCode = 1
  })
}

async function headerOf(read: ReadRows, { store, layout }: OpenProject, media: boolean): Promise<Header> {
  const rows: Record<string, number> = {}
  const rowIds: Record<string, number> = {}
  for (const { uid, table } of layout.model.types.values()) {
    rows[uid] = await countOf(read, table)
    rowIds[uid] = await highestRowId(read, store.dialect, table)
  }
  const relations = ownedRelations(layout.model).map((key) => layout.relationId(key))
  const [edges] = await read(
    sql`select count(*) as count from ${sql.table(EDGES)} where relation in (${sql.join(relations)})`,
  )
  return {
    madeAt: new Date().toISOString(),
    model: signatureOf(layout.model),
    media,
    rows,
    edges: Number(edges?.count),
    rowIds,
    entryIds: await highestEntryId(read, store.dialect),
  }
}

async function countOf(read: ReadRows, table: string): Promise<number> {
  const [row] = await read(sql`select count(*) as count from ${sql.table(table)}`)
  return Number(row?.count)
}

/** Writes rows, then edges, then access; returns the number of lines. Fails if the counts differ from the header. */
async function writeContent(
  writer: LineWriter,
  read: ReadRows,
  { store, layout }: OpenProject,
  header: Header,
  progress: Progress,
): Promise<number> {
  let lines = 0
  progress.part('Rows', totalOf(header.rows))
  for (const type of layout.model.types.values()) {
    const linesBefore = lines
    for await (const rows of rowLines(read, layout, type)) {
      for (const row of rows) await writer.write(row)
      lines += rows.length
      progress.step(rows.length)
    }
    expectCount(`rows of ${type.uid}`, lines - linesBefore, header.rows[type.uid] ?? 0)
  }
  const rowCount = lines
  progress.part('Relations', header.edges)
  for (const key of ownedRelations(layout.model))
    for await (const edges of edgeLines(read, layout, key)) {
      for (const edge of edges) await writer.write(edge)
      lines += edges.length
      progress.step(edges.length)
    }
  expectCount('relations', lines - rowCount, header.edges)
  progress.part('Tokens and permissions', null)
  for await (const line of accessLines(read, store.dialect)) {
    await writer.write(line)
    lines++
    progress.step()
  }
  return lines
}

/** Writes the saved states of documents, if the database has any; returns the number of lines. */
async function writeHistory(
  writer: LineWriter,
  read: ReadRows,
  { store, layout }: OpenProject,
  progress: Progress,
): Promise<number> {
  if ((await read(store.dialect.hasTable(HISTORY))).length === 0) return 0
  let lines = 0
  progress.part('Saved states', null)
  for await (const states of historyLines(read, layout)) {
    for (const state of states) await writer.write(state)
    lines += states.length
    progress.step(states.length)
  }
  return lines
}

function expectCount(name: string, written: number, expected: number): void {
  if (written !== expected)
    throw new Error(`The export is incomplete: ${written} ${name} written, but the database has ${expected}`)
}

/** Writes the bytes of every file. Files that storage does not have are collected in `missing`, so that the rest is saved. */
async function writeMedia(
  writer: LineWriter,
  read: ReadRows,
  { layout, storage }: OpenProject,
  progress: Progress,
  missing: string[],
): Promise<number> {
  let lines = 0
  progress.part('Files', await countOf(read, layout.model.types.get(FILE)?.table ?? ''))
  for await (const keys of storedKeys(read, layout)) {
    for (const key of keys) {
      const before = lines
      try {
        for await (const line of byteLines(storage, key)) {
          await writer.write(line)
          lines++
          // A large file is many lines, between which the export can be interrupted.
          progress.step(0)
        }
      } catch (failure) {
        // A partly written file would damage the archive.
        if (lines > before || !(failure instanceof MissingContents)) throw failure
        missing.push(key)
      }
    }
    progress.step()
  }
  return lines
}
