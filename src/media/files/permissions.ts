/** What permissions on files allow: which of them covers a change, and which attributes can be written and read. */
import { authorOf } from '../../documents/author.ts'
import type { Origin } from '../../documents/changes/origin.ts'
import { errors } from '../../errors.ts'
import { FILE } from '../../model/model.ts'
import { type Scope, systemScope } from '../../query/scope.ts'
import type { FileInfo } from './file-info.ts'
import type { FileDocument } from './records.ts'

/** On whose behalf files are written, and the request that causes it. */
export interface FileWriter {
  readonly scope: Scope
  readonly origin: Origin | null
}

export type FileAction = 'create' | 'update' | 'delete'

export interface FileChange {
  readonly info: FileInfo
  readonly replacesContents: boolean
}

/**
 * The permission that covers a change of a file. Uploaders may change their own files as far as they may upload them; if
 * that is restricted, a permission to update applies instead.
 */
export function permissionToChange({ version }: FileDocument, scope: Scope): 'create' | 'update' {
  const author = authorOf(scope.principal)
  const isOwn = author !== null && version.createdBy === author
  return isOwn && (!scope.rule(FILE, 'create') || !scope.may(FILE, 'update')) ? 'create' : 'update'
}

/** The attributes that represent the contents of a file; replacing them requires permission for both. */
const CONTENTS: readonly string[] = ['url', 'name']

/** Refuses a change of attributes that are not among the fields of the permission; undefined means all. */
export function checkFields(
  fields: readonly string[] | undefined,
  action: FileAction,
  { info, replacesContents }: FileChange,
): void {
  if (!fields) return
  const key = Object.keys(info).find((name) => !fields.includes(name === 'folder' ? 'folderPath' : name))
  if (key !== undefined) throw errors.invalidKey({ key, path: 'fileInfo', source: 'body' })
  const replaces = action === 'update' && replacesContents
  if (replaces && !CONTENTS.every((name) => fields.includes(name))) throw errors.forbidden()
}

/** Folders can be listed and searched only with permission to read them. */
export function canReadFolders(scope: Scope): boolean {
  const fields = scope.rule(FILE, 'find')?.fields
  return !fields || fields.includes('folderPath')
}

/** The scope in which a written file is returned: any file, with the fields that the caller may read. */
export function readableScope(scope: Scope): Scope {
  const fields = scope.rule(FILE, scope.may(FILE, 'findOne') ? 'findOne' : 'find')?.fields
  if (!fields) return systemScope
  return {
    ...systemScope,
    key: `fields of files ${JSON.stringify(fields)}`,
    rule: (type) => (type === FILE ? { fields } : null),
  }
}
