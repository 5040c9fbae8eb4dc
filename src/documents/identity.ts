/** Names of things: the id of a new document, who writes, and which version an If-Match header means. */
import { randomBytes } from 'node:crypto'
import { errors } from '../errors.ts'
import type { ContentType } from '../model/model.ts'
import type { Principal } from '../query/scope.ts'
import { compile } from '../store/compile.ts'
import type { Dialect } from '../store/dialect.ts'
import { sql } from '../store/sql.ts'
import type { Statement } from '../store/statement.ts'

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
const CHARACTERS = `${LETTERS}0123456789`
const LENGTH = 24
/** Digits of base 36 for the milliseconds of some 89 years; the letter before them counts how often those have passed. */
const DIGITS = 8
const ROUND = 36 ** DIGITS

/**
 * A new documentId: 24 lower-case letters and digits, a letter first. The moment comes first and chance behind it, 77 bits
 * of it: documents that are made one after the other lie side by side in every index, and few pages change for many.
 */
export function newDocumentId(now = Date.now()): string {
  let id = LETTERS.charAt(Math.floor(now / ROUND)) + (now % ROUND).toString(36).padStart(DIGITS, '0')
  while (id.length < LENGTH) id += randomCharacter()
  return id
}

/** Random bytes are asked for many at a time, each of them used once: to ask costs more than to get. */
let random = Buffer.alloc(0)
let used = 0
/** Bytes past the last whole multiple would make some characters likelier than others. */
const EVEN = 256 - (256 % CHARACTERS.length)

function randomCharacter(): string {
  for (;;) {
    if (used === random.length) {
      random = randomBytes(4096)
      used = 0
    }
    const byte = random[used++] ?? EVEN
    if (byte < EVEN) return CHARACTERS.charAt(byte % CHARACTERS.length)
  }
}

/** Finds the `document_id` of the row that a numeric id names, whichever version it is. */
export const documentOfRow = (dialect: Dialect, { table }: ContentType, id: number): Statement =>
  compile(dialect, sql`select document_id from ${sql.table(table)} where id = ${id}`)

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
