/** The second reading of an export: stores its files and writes its content in one transaction. */
import { Readable } from 'node:stream'
import { parseAccessLine } from '../../access/transfer.ts'
import { ArchiveLine, type Fields } from '../../documents/transfer/archive-line.ts'
import {
  type ArchivedEdge,
  completeEdges,
  EDGES_PER_BATCH,
  insertArchivedEdges,
} from '../../documents/transfer/edges.ts'
import { webhookTables } from '../../events/webhooks/tables.ts'
import type { WebhookSettings } from '../../events/webhooks/webhook.ts'
import { addFolder, rebuildFolders } from '../../media/folders/folder-rows.ts'
import { blockWriters, checkSchemaVersion } from '../../store/migration/schema-version-check.ts'
import type { Transaction } from '../../store/store.ts'
import { advanceEntryIds, advanceRowIds } from '../../store/tables/counters.ts'
import { ownedRelations } from '../../store/tables/layout.ts'
import { createOwnTables } from '../../store/tables/own-tables.ts'
import { hasUniqueValues, rebuildUniqueValues } from '../../store/tables/unique-values.ts'
import { discardingFiles } from '../archive/added-files.ts'
import { clearContent, RowBatch } from '../archive/load.ts'
import type { OpenProject } from '../archive/open-project.ts'
import type { Progress } from '../archive/progress.ts'
import type { Part, ReadParts } from './archive/parts.ts'
import { EntityReader } from './entity-reader.ts'
import { importedFolders, relocateFiles, storageKeyOf } from './file-records.ts'
import type { Prepared } from './prepare.ts'
import { IGNORED_OMISSIONS } from './report.ts'
import type { Scratch } from './scratch.ts'
import { writeWebhooks } from './webhooks.ts'

/** Replaces everything in the database with the content of the export. If it fails, no new file is left in the storage. */
export async function writeImport(
  opened: OpenProject,
  parts: ReadParts,
  prepared: Prepared & { readonly webhooks: readonly WebhookSettings[] },
  scratch: Scratch,
  progress: Progress,
): Promise<void> {
  if (prepared.webhooks.length > 0) await createOwnTables(opened.store, webhookTables)
  const { store, layout, schemaVersion, storage, sinks } = opened
  const { overview } = prepared
  await discardingFiles(storage, async (adding) => {
    progress.part('Files', overview.files)
    for await (const part of parts(['file'])) {
      if (part.kind !== 'file') continue
      await storeFile(opened, part, adding)
      progress.step()
    }
    progress.part(
      'Rows',
      [...overview.rows.values()].reduce((total, one) => total + one, 0),
    )
    await store.write(async (transaction) => {
      blockWriters(transaction)
      checkSchemaVersion(transaction, schemaVersion)
      await clearContent(transaction, layout, sinks)
      const reader = new EntityReader({
        layout,
        overview,
        defaultLocale: prepared.defaultLocale,
        omissions: IGNORED_OMISSIONS,
        relocate: relocateFiles(scratch, storage),
        clearedIn: (component, entry) => clearedIn(prepared, scratch, component, entry),
      })
      const rows = new RowBatch(transaction, layout, sinks)
      const repeated = new RepeatedRows(scratch)
      for await (const part of parts(['entity'])) {
        if (part.kind !== 'entity') continue
        progress.step()
        await writeRow(part, opened, prepared, { scratch, repeated, reader, rows })
      }
      await rows.flush()
      progress.part('Relations', prepared.report.relations.imported)
      await writeEdges(transaction, opened, scratch, () => progress.step())
      await writePermissionsAndViews(transaction, prepared)
      await writeWebhooks(transaction, store, prepared.webhooks)
      if (hasUniqueValues(layout.model)) await rebuildUniqueValues(transaction, layout.model)
      for (const { uid, table } of layout.model.types.values())
        await advanceRowIds(transaction, table, rows.highest.get(uid) ?? 0)
      await advanceEntryIds(transaction, reader.highestEntry)
      await rebuildFolders(transaction, layout)
      for (const path of importedFolders(overview)) addFolder(transaction, path, null)
    })
  })
  progress.end()
}

interface RowTarget {
  readonly scratch: Scratch
  readonly repeated: RepeatedRows
  readonly reader: EntityReader
  readonly rows: RowBatch
}

/** Tells the first row with an id from those that repeat it. */
class RepeatedRows {
  readonly #scratch: Scratch
  readonly #met = new Set<string>()

  constructor(scratch: Scratch) {
    this.#scratch = scratch
  }

  hasBefore(type: string, id: number): boolean {
    if (!this.#scratch.isRepeated(type, id)) return false
    const key = `${type}|${id}`
    if (this.#met.has(key)) return true
    this.#met.add(key)
    return false
  }
}

async function writeRow(
  { type: uid, id, data }: Extract<Part, { kind: 'entity' }>,
  { layout }: OpenProject,
  prepared: Prepared,
  { scratch, repeated, reader, rows }: RowTarget,
): Promise<void> {
  const type = layout.model.types.get(uid)
  if (!type) return
  const cleared = clearedIn(prepared, scratch, uid, id)
  // Dropped rows are read too, because the ids of component entries are counted.
  const entity = reader.read(type, id, data(), cleared)
  if (!entity) return
  if (prepared.typesWithDropped.has(uid) && (scratch.isDropped(uid, id) || repeated.hasBefore(uid, id)))
    return
  await rows.add(entity.row)
}

/** The attributes that stay empty in a row or component entry. */
const clearedIn = (
  { shapesWithCleared }: Prepared,
  scratch: Scratch,
  shape: string,
  id: number,
): readonly string[] => (shapesWithCleared.has(shape) ? scratch.clearedValues(shape, id) : [])

async function writeEdges(
  transaction: Transaction,
  { layout }: OpenProject,
  scratch: Scratch,
  step: () => void,
): Promise<void> {
  const relations = ownedRelations(layout.model).map((key) => layout.relationId(key))
  let batch: ArchivedEdge[] = []
  for (const { relation, ...edge } of scratch.edges()) {
    batch.push({ ...edge, relation: relations[relation] ?? -1 })
    step()
    if (batch.length < EDGES_PER_BATCH) continue
    await insertArchivedEdges(transaction, batch)
    batch = []
  }
  await insertArchivedEdges(transaction, batch)
  await completeEdges(transaction, layout)
}

async function writePermissionsAndViews(
  transaction: Transaction,
  { permissions, views }: Prepared,
): Promise<void> {
  const write = async (fields: Fields) => {
    await parseAccessLine(new ArchiveLine(fields, String(fields.kind)))?.(transaction)
  }
  for (const { role, type, actions } of permissions)
    await write({ kind: 'permission', role, type, permissions: actions })
  for (const [uid, value] of views) await write({ kind: 'view', of: 'type', name: uid, value })
}

async function storeFile(
  { storage, staging }: OpenProject,
  { name, bytes }: Extract<Part, { kind: 'file' }>,
  adding: (key: string) => Promise<void>,
): Promise<void> {
  const key = storageKeyOf(name)
  const stage = staging.open()
  try {
    const staged = await stage.receive(Readable.from(bytes))
    await adding(key)
    await storage.put(key, staged.path)
  } finally {
    await stage.clear()
  }
}
