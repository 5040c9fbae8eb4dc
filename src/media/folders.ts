/** The folders of the library. A folder exists for a caller while it contains a file that the caller may find. */
import { errors } from '../errors.ts'
import type { Rest } from '../query/parse-query.ts'
import type { Scope } from '../query/scope.ts'
import { valueCountsStatement } from '../reads/value-counts.ts'
import type { Statement } from '../store/statement.ts'
import type { Store } from '../store/store.ts'
import type { Layout } from '../store/tables/layout.ts'
import { canReadFolders } from './files/permissions.ts'
import { fileType } from './files/records.ts'

export interface Folder {
  readonly path: string
  /** Without those in subfolders. */
  readonly files: number
}

export const foldersStatement = (
  { dialect }: Pick<Store, 'dialect'>,
  layout: Layout,
  scope: Scope,
  rest: Rest['rest'],
): Statement => {
  if (!canReadFolders(scope)) throw errors.forbidden()
  return valueCountsStatement(fileType(layout), 'folderPath', scope, layout, dialect, rest)
}

/** Sorted by path. */
export async function listFolders(
  store: Store,
  layout: Layout,
  scope: Scope,
  rest: Rest['rest'],
): Promise<Folder[]> {
  const folders = new Map<string, number>()
  for (const { value, count } of await store.read(foldersStatement(store, layout, scope, rest))) {
    // Files without a folder are in the root folder.
    const path = value === null ? '/' : String(value)
    folders.set(path, (folders.get(path) ?? 0) + Number(count))
  }
  return [...folders]
    .map(([path, files]) => ({ path, files }))
    .sort((one, other) => (one.path < other.path ? -1 : 1))
}
