/** The names of those who did something, for responses to people who may use the admin app. */
import type { Server } from '../server.ts'

export interface Author {
  readonly kind: string
  readonly id?: string
}

export interface NamedAuthor extends Author {
  /** The name that the user or token has now; null if it no longer exists. Absent for those without an id. */
  readonly name?: string | null
}

/** Reads the names of these authors together; the function adds them. */
export async function readAuthorNames(
  { access }: Pick<Server, 'access'>,
  authors: readonly Author[],
): Promise<(author: Author) => NamedAuthor> {
  const users = new Set(authors.flatMap(({ kind, id }) => (kind === 'user' && id ? [id] : [])))
  const names = new Map<string, string | null>()
  for (const documentId of users)
    names.set(`user ${documentId}`, (await access.accounts.byDocumentId(documentId))?.username ?? null)
  if (authors.some(({ kind }) => kind === 'token'))
    for (const { id, name } of await access.tokens.list()) names.set(`token ${id}`, name)
  return ({ kind, id }) =>
    id === undefined ? { kind } : { kind, id, name: names.get(`${kind} ${id}`) ?? null }
}
