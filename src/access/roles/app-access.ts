/** Where the users of a role may sign in. All may use the content API; the admin app is for the team only. */
import type { AdminConfig } from '../../project/config/access-config.ts'
import { ADMIN, AUTHOR, EDITOR } from './roles.ts'

/** `app`: the admin app, within the permissions of the role. `admin`: everything. */
export type AppAccess = 'app' | 'admin'

/** Null: the content API only. */
export function appAccessOf({ enabled, roles }: AdminConfig): (role: string | null) => AppAccess | null {
  const inApp = new Set([EDITOR, AUTHOR, ...roles])
  return (role) => {
    if (!enabled || role === null) return null
    if (role === ADMIN) return 'admin'
    return inApp.has(role) ? 'app' : null
  }
}
