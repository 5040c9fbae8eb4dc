/** The row rules of a caller. */
import type { RowRules } from '../../documents/documents.ts'
import type { Scope } from '../../query/scope.ts'
import type { Server } from '../server.ts'

/** The row rules of a caller, who cannot change admins except as an admin. */
export function rowRulesOf(server: Server, scope: Scope): RowRules {
  const reads = server.reads()
  return server.access.users.protectAdmins((type, action) => reads.rowRuleCheck(type, scope, action), scope)
}
