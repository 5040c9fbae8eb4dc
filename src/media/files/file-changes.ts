/** Reads and changes of the records of files inside a transaction, as far as the caller may make them. */
import type { ChangeSink } from '../../documents/changes/change-record.ts'
import { ChangeRecorder } from '../../documents/changes/recorder.ts'
import type { RowRules } from '../../documents/documents.ts'
import { areCovered, canRead, checkRules } from '../../documents/row-rules.ts'
import { errors } from '../../errors.ts'
import { FILE } from '../../model/model.ts'
import type { Scope } from '../../query/scope.ts'
import type { Reads } from '../../reads/reads.ts'
import type { Transaction } from '../../store/store.ts'
import type { Layout } from '../../store/tables/layout.ts'
import { addFolder } from '../folders/folder-rows.ts'
import {
  checkFields,
  type FileAction,
  type FileChange,
  type FileWriter,
  permissionToChange,
  readableScope,
} from './permissions.ts'
import {
  deleteFile,
  type FileAttributes,
  type FileDocument,
  fileType,
  findFile,
  keysOf,
  updateFile,
} from './records.ts'

interface FileChangesOptions {
  readonly layout: () => Layout
  readonly reads: () => Reads
  readonly sinks: readonly ChangeSink[]
}

/** Files have neither drafts nor locales. */
const FILE_VERSION = { locale: '', status: 'published' } as const

export function createFileChanges({ layout, reads, sinks }: FileChangesOptions) {
  const recorderFor = ({ scope, origin }: FileWriter) =>
    sinks.length === 0 ? null : new ChangeRecorder(sinks, layout(), scope.principal, origin)

  /** The record as JSON text, as the caller may read it. */
  const readBack = async (transaction: Transaction, documentId: string, scope: Scope): Promise<string> => {
    const type = fileType(layout())
    const read = await reads()
      .prepareWriteResult(type, {}, readableScope(scope), 'update')
      .read(transaction, documentId)
    if (!read) throw new Error(`The file ${documentId} was just written and cannot be read`)
    return read.data
  }

  const ruledWrite = (transaction: Transaction, scope: Scope) => {
    const rules: RowRules = (type, action) => reads().rowRuleCheck(type, scope, action)
    return { transaction, request: { scope, rules } }
  }

  /** Refuses what the caller's row rule on an action does not cover. */
  const checkRule = (transaction: Transaction, documentId: string, scope: Scope, action: FileAction) =>
    checkRules(ruledWrite(transaction, scope), fileType(layout()), [action], {
      documentId,
      ...FILE_VERSION,
    })

  const existingFile = async (transaction: Transaction, id: string): Promise<FileDocument> => {
    const file = await findFile(transaction, layout(), id)
    if (!file) throw errors.notFound()
    return file
  }

  const checkMay = async (
    transaction: Transaction,
    { documentId }: FileDocument,
    scope: Scope,
    action: FileAction,
  ) => {
    const write = ruledWrite(transaction, scope)
    const type = fileType(layout())
    const written = { documentId, ...FILE_VERSION }
    if (scope.may(FILE, action) && (await areCovered(write, type, [action], written))) return
    // A file that the caller may not read either does not exist for them.
    const isVisible = await canRead(write, type, documentId, [{ locale: '', published: true }])
    throw isVisible ? errors.forbidden() : errors.notFound()
  }

  /** The file, if the caller may make this change. */
  const fileToChange = async (transaction: Transaction, id: string, scope: Scope, change: FileChange) => {
    const file = await existingFile(transaction, id)
    const action = permissionToChange(file, scope)
    if (action === 'update') await checkMay(transaction, file, scope, action)
    checkFields(scope.rule(FILE, action)?.fields, action, change)
    return file
  }

  /** Changes the record and returns it, if it still satisfies the rules that permit the change. */
  const applyChanges = async (
    transaction: Transaction,
    file: FileDocument,
    values: Partial<FileAttributes>,
    by: FileWriter,
  ): Promise<string> => {
    const { documentId } = file
    const { scope } = by
    const changes = recorderFor(by)
    if (values.folderPath !== undefined) addFolder(transaction, values.folderPath, scope.principal)
    updateFile(transaction, layout(), file, values, scope.principal, changes)
    await changes?.write(transaction)
    await checkRule(transaction, documentId, scope, permissionToChange(file, scope))
    return readBack(transaction, documentId, scope)
  }

  /** Deletes the record, and returns it with the storage keys that are no longer used. */
  const removeIn = async (transaction: Transaction, id: string, by: FileWriter) => {
    const { scope } = by
    const file = await existingFile(transaction, id)
    await checkMay(transaction, file, scope, 'delete')
    const data = await readBack(transaction, file.documentId, scope)
    const changes = recorderFor(by)
    await deleteFile(transaction, layout(), file, changes)
    await changes?.write(transaction)
    return { removed: keysOf(file), data }
  }

  return { recorderFor, readBack, checkRule, fileToChange, applyChanges, removeIn }
}
