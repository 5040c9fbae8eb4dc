/** `octavo export`: writes the content of a project, its files and its access into one archive. */
import path from 'node:path'
import type { Command } from 'commander'
import { accessLines } from '../../access/transfer.ts'
import { edgeLines } from '../../documents/transfer/edges.ts'
import { rowLines } from '../../documents/transfer/rows.ts'
import { byteLines, storedKeys } from '../../media/transfer.ts'
import { FILE } from '../../model/model.ts'
import { type Ask, atOneMoment } from '../../store/snapshot.ts'
import { sql } from '../../store/sql.ts'
import { highestEntryId, highestRowId } from '../../store/tables/counters.ts'
import { EDGES, ownedRelations } from '../../store/tables/layout.ts'
import { type Header, headerLine, signatureOf, totalOf } from '../archive/header.ts'
import { type LineWriter, writeArchive } from '../archive/lines.ts'
import { type Opened, withProject } from '../archive/open-project.ts'
import { counted, createProgress, type Progress } from '../archive/progress.ts'
import { databaseOption, type ProjectOptions, projectOption } from '../options.ts'
import { projectOf } from '../project.ts'

interface ExportOptions extends ProjectOptions {
  readonly media: boolean
}

/** Adds the command. */
export function addExport(program: Command): void {
  program
    .command('export <file>')
    .description('write content, files, users, roles and tokens into one archive')
    .option('--without-media', 'leave out the bytes of files; their records are kept')
    .addOption(projectOption())
    .addOption(databaseOption())
    .addHelpText('after', HELP)
    .action((file: string, options: ProjectOptions & { readonly withoutMedia?: boolean }) =>
      exportProject(file, { ...options, media: !options.withoutMedia }),
    )
}

const HELP = `
The archive shows the database as it was when the command started; a server may go on serving it.
It holds hashes of passwords and tokens: keep it as you keep the database.

  $ octavo export backup.octavo.jsonl.gz
  $ octavo import backup.octavo.jsonl.gz --database postgres://octavo@localhost/octavo`

async function exportProject(file: string, options: ExportOptions): Promise<void> {
  await withProject(await projectOf(options), 'of the content', async (opened) => {
    const progress = createProgress()
    const missing: string[] = []
    const header = await atOneMoment(opened.store, async (ask) => {
      const header = await headerOf(ask, opened, options.media)
      await writeArchive(file, async (writer) => {
        await writer.write(headerLine(header))
        const lines =
          (await writeContent(writer, ask, opened, header, progress)) +
          (options.media ? await writeMedia(writer, ask, opened, progress, missing) : 0)
        await writer.write({ kind: 'end', lines })
      })
      return header
    })
    progress.end()
    for (const key of missing) process.stderr.write(`Missing in the storage of files: ${key}\n`)
    const rows = counted(totalOf(header.rows), 'row')
    console.log(`Exported ${rows} and ${counted(header.edges, 'relation')} to ${path.resolve(file)}`)
    if (missing.length > 0) process.exitCode = 1
  })
}

async function headerOf(ask: Ask, { store, layout }: Opened, media: boolean): Promise<Header> {
  const rows: Record<string, number> = {}
  const rowIds: Record<string, number> = {}
  for (const { uid, table } of layout.model.types.values()) {
    rows[uid] = await countOf(ask, table)
    rowIds[uid] = await highestRowId(ask, store.dialect, table)
  }
  const relations = ownedRelations(layout.model).map((key) => layout.relationId(key))
  const [edges] = await ask(
    sql`select count(*) as count from ${sql.table(EDGES)} where relation in (${sql.join(relations)})`,
  )
  return {
    madeAt: new Date().toISOString(),
    model: signatureOf(layout.model),
    media,
    rows,
    edges: Number(edges?.count),
    rowIds,
    entryIds: await highestEntryId(ask, store.dialect),
  }
}

async function countOf(ask: Ask, table: string): Promise<number> {
  const [row] = await ask(sql`select count(*) as count from ${sql.table(table)}`)
  return Number(row?.count)
}

/** Writes rows, then edges, then access; answers with the number of lines. */
async function writeContent(
  writer: LineWriter,
  ask: Ask,
  { store, layout }: Opened,
  header: Header,
  progress: Progress,
): Promise<number> {
  let lines = 0
  progress.part('Rows', totalOf(header.rows))
  for (const type of layout.model.types.values())
    for await (const rows of rowLines(ask, layout, type)) {
      for (const row of rows) await writer.write(row)
      lines += rows.length
      progress.step(rows.length)
    }
  progress.part('Relations', header.edges)
  for (const key of ownedRelations(layout.model))
    for await (const edges of edgeLines(ask, layout, key)) {
      for (const edge of edges) await writer.write(edge)
      lines += edges.length
      progress.step(edges.length)
    }
  progress.part('Tokens and permissions', null)
  for await (const line of accessLines(ask, store.dialect)) {
    await writer.write(line)
    lines++
    progress.step()
  }
  return lines
}

/** Writes the bytes of every file. One that storage lacks is told of in the end, so that the rest is saved. */
async function writeMedia(
  writer: LineWriter,
  ask: Ask,
  { layout, storage }: Opened,
  progress: Progress,
  missing: string[],
): Promise<number> {
  let lines = 0
  progress.part('Files', await countOf(ask, layout.model.types.get(FILE)?.table ?? ''))
  for await (const keys of storedKeys(ask, layout)) {
    for (const key of keys) {
      const before = lines
      try {
        for await (const line of byteLines(storage, key)) {
          await writer.write(line)
          lines++
        }
      } catch (failure) {
        // Half a file is no file: there the export ends.
        if (lines > before || !isMissing(failure)) throw failure
        missing.push(key)
      }
    }
    progress.step()
  }
  return lines
}

const isMissing = (failure: unknown) =>
  failure instanceof Error &&
  (('code' in failure && failure.code === 'ENOENT') || ['NoSuchKey', 'NotFound'].includes(failure.name))
