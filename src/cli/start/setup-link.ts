/** The link with which the first admin is created, printed when a server without an admin starts. */
import type { OctavoServer } from '../../http/app.ts'

/** Null when there is an admin, or no admin app. Each call makes the link before it invalid. */
export async function setupLink({ access, project }: OctavoServer, address: string): Promise<string | null> {
  const { admin, server } = project.config
  const token = admin.enabled ? await access.setup.createToken() : null
  if (token === null) return null
  const base = (server.url ?? address).replace(/\/$/, '')
  return `Create the first admin: ${base}${admin.path}/setup?token=${token}`
}
