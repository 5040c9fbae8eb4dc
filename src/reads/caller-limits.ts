/** The limits of a caller's reads, from the configuration `limits`. */
import type { Config, LimitByRole } from '../project/config/config.ts'
import { defaults } from '../project/config/defaults.ts'
import type { Principal, Scope } from '../query/scope.ts'
import { NO_LIMITS, type ReadLimits } from '../store/reads/read-limits.ts'

/** Returns the address of the client; called only when callers without a credential must be distinguished. */
export type ClientAddress = () => string

/** The limits for a scope. Reads of the server itself have none. */
export type CallerLimits = (scope: Scope, address: ClientAddress) => ReadLimits

export function createCallerLimits({
  readMs,
  responseBytes,
}: Omit<Config['limits'], 'readRows'>): CallerLimits {
  return ({ principal }, address) => {
    if (principal.kind === 'system') return NO_LIMITS
    const role = roleOf(principal)
    return {
      milliseconds: limitFor(role, readMs, defaults.limits.readMs),
      bytes: limitFor(role, responseBytes, defaults.limits.responseBytes),
      caller: () =>
        principal.kind === 'public' ? `address ${address()}` : `${principal.kind} ${principal.id}`,
    }
  }
}

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
