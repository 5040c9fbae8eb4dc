/** The account of the demo, with which anyone can try the admin app on their own machine. */
import { EDITOR } from '../../access/roles/roles.ts'
import type { OctavoServer } from '../../http/app.ts'
import { systemScope } from '../../query/scope.ts'

export const DEMO_EDITOR = { username: 'editor', email: 'editor@example.com', password: 'octavo-demo' }

/** Creates the account unless it exists. In production there is none, because everybody knows its password. */
export async function createDemoEditor({ access, production }: OctavoServer): Promise<void> {
  if (production || (await access.accounts.byEmail(DEMO_EDITOR.email))) return
  const values = { ...DEMO_EDITOR, confirmed: true, role: await access.roles.documentIdOf(EDITOR) }
  await access.users.create(values, { scope: systemScope, isAdmin: false }, async () => null)
}
