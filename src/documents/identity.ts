/** Names of things: the id of a new document, who writes, and which version an If-Match header means. */
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { errors } from '../errors.ts'
import type { ContentType } from '../model/model.ts'
import type { Principal } from '../query/scope.ts'
import { compile } from '../store/compile.ts'
import type { EngineName, Statement } from '../store/store.ts'

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
const CHARACTERS = `${LETTERS}0123456789`
const LENGTH = 24

/** A new documentId: 24 lower-case letters and digits, a letter first. */
export function newDocumentId(): string {
  let id = randomOf(LETTERS)
  while (id.length < LENGTH) id += randomOf(CHARACTERS)
  return id
}

/** Random bytes are asked for many at a time, each of them used once: to ask costs more than to get. */
let random = Buffer.alloc(0)
let used = 0

function randomOf(alphabet: string): string {
  for (;;) {
    if (used === random.length) {
      random = randomBytes(4096)
      used = 0
    }
    const byte = random[used++] ?? 0
    // Bytes past the last whole multiple would make some characters likelier than others.
    if (byte < 256 - (256 % alphabet.length)) return alphabet.charAt(byte % alphabet.length)
  }
}

/** Finds the `document_id` of the row that a numeric id names, whichever version it is. */
export const documentOfRow = (engine: EngineName, { table }: ContentType, id: number): Statement =>
  compile(engine, sql`select document_id from ${sql.table(table)} where id = ${id}`)

/** What is recorded as creator or last editor; null for the public and for the server itself. */
export function authorOf(principal: Principal): string | null {
  return principal.kind === 'user' || principal.kind === 'token' ? `${principal.kind}:${principal.id}` : null
}

/** Refuses a write whose If-Match names none of the versions it may name; `*` stands for any, if there is one to show. */
export function checkPrecondition(
  ifMatch: string | undefined,
  names: readonly string[],
  isThere = names.length > 0,
) {
  if (ifMatch === undefined) return
  const tags = ifMatch.split(',').map((tag) => tag.trim().replace(/^W\//, '').replaceAll('"', ''))
  const matches = tags.some((tag) => (tag === '*' ? isThere : names.includes(tag.split('-', 1)[0] ?? '')))
  if (!matches) throw errors.preconditionFailed()
}
