/** Unsaved changes of documents, kept in the browser (IndexedDB) until they are saved or discarded. */
import { type FormPath, topLevelName } from './path.ts'
import type { Values } from './store.ts'

const DATABASE = 'octavo-admin'
const STORE = 'unsaved'
/** Copies that nobody came back to. */
const MAX_AGE_MS = 30 * 24 * 60 * 60 * 1000

export interface LocalCopy {
  readonly savedAt: number
  /** The version that was changed; null for a new document. */
  readonly etag: string | null
  readonly values: readonly (readonly [FormPath, unknown])[]
  /** The saved values, to compare with what others have saved since, and to create the document again if it was deleted. */
  readonly base?: readonly (readonly [FormPath, unknown])[]
}

/** Identifies the unsaved changes of one person to one locale of a document, even after its content-type is renamed. */
export const localCopyKey = (
  userId: number,
  uid: string,
  documentId: string | null,
  locale: string | undefined,
) => [userId, documentId ?? `new ${uid}`, locale ?? ''].join('|')

export const readLocalCopy = async (key: string): Promise<LocalCopy | null> => {
  const copy = await run<LocalCopy | undefined>('readonly', (store) => store.get(key))
  return copy && Date.now() - copy.savedAt < MAX_AGE_MS ? copy : null
}

export const writeLocalCopy = (
  key: string,
  etag: string | null,
  values: Values,
  saved: Values,
): Promise<unknown> =>
  run('readwrite', (store) =>
    store.put({ savedAt: Date.now(), etag, values: [...values], base: [...saved] } satisfies LocalCopy, key),
  )

/** The saved values that a copy was made from: of the attributes that were not changed, those of today. */
export function savedThen(saved: Values, { values, base }: LocalCopy): Values | null {
  if (!base) return null
  const names = new Set(values.map(([path]) => topLevelName(path)))
  const isChanged = ([path]: readonly [FormPath, unknown]) => names.has(topLevelName(path))
  return new Map([...[...saved].filter((value) => !isChanged(value)), ...base.filter(isChanged)])
}

export const deleteLocalCopy = (key: string): Promise<unknown> =>
  run('readwrite', (store) => store.delete(key))

async function run<Result>(
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const database = await connect()
  const transaction = database.transaction(STORE, mode)
  const result = resultOf(work(transaction.objectStore(STORE)))
  // The page may end before the browser would commit by itself.
  transaction.commit()
  return result
}

/** Stays open: a page that ends has no time to open it. */
let connection: Promise<IDBDatabase> | null = null

function connect(): Promise<IDBDatabase> {
  connection ??= open().catch((error: unknown) => {
    connection = null
    throw error
  })
  return connection
}

async function open(): Promise<IDBDatabase> {
  const opening = indexedDB.open(DATABASE, 1)
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE)
  const database = await resultOf(opening)
  const forget = () => {
    connection = null
  }
  database.onclose = forget
  database.onversionchange = () => {
    database.close()
    forget()
  }
  return database
}

const resultOf = <Result>(request: IDBRequest<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('The browser refused to store the changes'))
  })
