/** Search indexes that content-types declare, but the database cannot have. */
import { isBuiltIn } from '../model/built-in-types.ts'
import type { Layout } from '../store/tables/layout.ts'

/** What to tell whoever runs the server; null when nothing is missing. */
export function missingSearch({ model, hasSearch }: Layout): string | null {
  // The built-in type of files declares an index too, but no project has asked for it.
  const declared = [...model.types.values()].filter(({ uid, search }) => search && !isBuiltIn(uid))
  const types = declared.map(({ uid }) => uid)
  return hasSearch || types.length === 0
    ? null
    : `PostgreSQL does not have the extension pg_trgm, so searches read every document of ${types.join(', ')}. ${REMEDY}`
}

const REMEDY = 'Run CREATE EXTENSION pg_trgm as an administrator of the database, and restart the server.'
