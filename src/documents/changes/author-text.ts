/** The author of a change as it is stored: `user:<documentId>`, `token:<id>`, `public` or `system`. */
import type { Principal } from '../../query/scope.ts'

export function authorText(principal: Principal): string {
  switch (principal.kind) {
    case 'user':
      return `user:${principal.documentId}`
    case 'token':
      return `token:${principal.id}`
    case 'public':
    case 'system':
      return principal.kind
  }
}
