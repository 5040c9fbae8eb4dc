/** The row rules of a caller. */
import type { RowRules } from '../../documents/documents.ts'
import type { Scope } from '../../query/scope.ts'
import type { Server } from '../server.ts'

/** The row rules of a caller, who cannot change the team except as a member of it. */
export function rowRulesOf(server: Server, scope: Scope): RowRules {
  const reads = server.reads()
  return server.access.users.protectTeam((type, action) => reads.rowRuleCheck(type, scope, action), scope)
}
