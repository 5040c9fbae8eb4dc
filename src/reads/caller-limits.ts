/** The limits of a caller's reads, from the configuration `limits`. */
import type { Config, LimitByRole } from '../project/config/config.ts'
import { defaults } from '../project/config/defaults.ts'
import type { Principal, Scope } from '../query/scope.ts'
import { NO_LIMITS, type ReadLimits } from '../store/reads/read-limits.ts'

/** The client that a read is for. */
export interface Client {
  /** Its address; called only when callers without a credential must be distinguished. */
  address(): string
  /** Whether it has disconnected, so that nobody receives the response. */
  isDisconnected(): boolean
}

/** The limits for a scope. Reads of the server itself have none. */
export type CallerLimits = (scope: Scope, client: Client) => ReadLimits

export function createCallerLimits({
  readMs,
  responseBytes,
}: Omit<Config['limits'], 'readRows'>): CallerLimits {
  return ({ principal }, client) => {
    if (principal.kind === 'system') return NO_LIMITS
    const role = roleOf(principal)
    return {
      milliseconds: limitFor(role, readMs, defaults.limits.readMs),
      bytes: responseBytesFor(principal, responseBytes),
      caller: () =>
        principal.kind === 'public' ? `address ${client.address()}` : `${principal.kind} ${principal.id}`,
      isDisconnected: client.isDisconnected,
    }
  }
}

/** The maximum size of a response to a caller; of one to the server itself, there is none. */
export const responseBytesFor = (principal: Principal, responseBytes: LimitByRole): number =>
  principal.kind === 'system'
    ? Infinity
    : limitFor(roleOf(principal), responseBytes, defaults.limits.responseBytes)

const PUBLIC = 'public'

/** Tokens have no role. */
const roleOf = (principal: Principal): string | null =>
  principal.kind === 'user' ? principal.role : principal.kind === 'public' ? PUBLIC : null

/** `others` does not include the public, whose limit is raised only by name. */
function limitFor(role: string | null, limits: LimitByRole, fallback: LimitByRole): number {
  if (typeof limits === 'number') return limits
  const own = role !== null && Object.hasOwn(limits, role) ? limits[role] : undefined
  const limit = own ?? (role === PUBLIC ? undefined : limits.others)
  return limit ?? (limits === fallback ? Infinity : limitFor(role, fallback, fallback))
}
