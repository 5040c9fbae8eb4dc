/** Names of things: the id of a new document, who writes, and which version an If-Match header means. */
import { randomBytes } from 'node:crypto'
import { errors } from '../errors.ts'
import type { Principal } from '../query/scope.ts'

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
const CHARACTERS = `${LETTERS}0123456789`
const LENGTH = 24

/** A new documentId: 24 lower-case letters and digits, a letter first. */
export function newDocumentId(): string {
  let id = ''
  while (id.length < LENGTH) {
    for (const byte of randomBytes(LENGTH * 2)) {
      const alphabet = id === '' ? LETTERS : CHARACTERS
      // Bytes past the last whole multiple would make some characters likelier than others.
      if (byte < 256 - (256 % alphabet.length) && id.length < LENGTH) id += alphabet[byte % alphabet.length]
    }
  }
  return id
}

/** What is recorded as creator or last editor; null for the public and for the server itself. */
export function authorOf(principal: Principal): string | null {
  return principal.kind === 'user' || principal.kind === 'token' ? `${principal.kind}:${principal.id}` : null
}

/** Refuses a write whose If-Match does not name the revision at hand; null when the version does not exist. */
export function checkPrecondition(ifMatch: string | undefined, revision: number | null) {
  if (ifMatch === undefined) return
  const tags = ifMatch.split(',').map((tag) => tag.trim().replace(/^W\//, '').replaceAll('"', ''))
  const matches = tags.some((tag) => tag === '*' || tag.split('-', 1)[0] === String(revision))
  if (revision === null || !matches) throw errors.preconditionFailed()
}
