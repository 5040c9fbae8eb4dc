/** The ids of documents. */
import { randomBytes } from 'node:crypto'
import type { ContentType } from '../model/model.ts'
import { compile } from '../store/compile.ts'
import type { Dialect } from '../store/dialect.ts'
import { sql } from '../store/sql.ts'
import type { Statement } from '../store/statement.ts'

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
const CHARACTERS = `${LETTERS}0123456789`
const LENGTH = 24
/** Base-36 digits for the milliseconds of about 89 years; the letter before them counts how often those have passed. */
const TIME_DIGITS = 8
const PERIOD = 36 ** TIME_DIGITS

/**
 * A new documentId: 24 lower-case letters and digits, a letter first. It starts with the time, followed by 77 random bits,
 * so documents created one after the other are neighbours in every index and inserts touch few pages.
 */
export function newDocumentId(now = Date.now()): string {
  let id = LETTERS.charAt(Math.floor(now / PERIOD)) + (now % PERIOD).toString(36).padStart(TIME_DIGITS, '0')
  while (id.length < LENGTH) id += randomCharacter()
  return id
}

/** Random bytes are fetched in blocks, because each call is expensive. */
let random = Buffer.alloc(0)
let used = 0
/** Bytes from here on would make some characters more likely than others. */
const BYTE_LIMIT = 256 - (256 % CHARACTERS.length)

function randomCharacter(): string {
  for (;;) {
    if (used === random.length) {
      random = randomBytes(4096)
      used = 0
    }
    const byte = random[used++] ?? BYTE_LIMIT
    if (byte < BYTE_LIMIT) return CHARACTERS.charAt(byte % CHARACTERS.length)
  }
}

/** Selects the `document_id` of the row with a numeric id, whichever version it is. */
export const documentOfRow = (dialect: Dialect, { table }: ContentType, id: number): Statement =>
  compile(dialect, sql`select document_id from ${sql.table(table)} where id = ${id}`)
