/** Who is recorded as the creator or last editor of a version. */
import type { Principal } from '../query/scope.ts'

/** Null for the public and for the server itself. */
export const authorOf = (principal: Principal): string | null =>
  principal.kind === 'user' || principal.kind === 'token' ? `${principal.kind}:${principal.id}` : null
