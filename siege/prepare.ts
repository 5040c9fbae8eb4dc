/** Accounts and documents that the siege is about, and a server whose caches are full. */
import type { Target } from './attack.ts'
import { CLIENT_TOKEN, PASSWORD, PRIVATE_VALUE, USER_NAME, VAULT_VALUE } from './project.ts'
import { CLIENT_ADDRESS, createSender } from './send.ts'

const ARTICLES = 20

/** Creates them and returns what attackers know of them. */
export async function prepare(base: string): Promise<Omit<Target, 'base' | 'counts'>> {
  const { send, close } = createSender(base, CLIENT_ADDRESS)
  async function post(path: string, json: unknown, token?: string) {
    const { status, text } = await send(path, { method: 'POST', token, json })
    if (status >= 300) throw new Error(`POST ${path} failed: ${status} ${text}`)
    return JSON.parse(text)
  }
  const create = async (path: string, data: object): Promise<string> =>
    (await post(path, { data }, CLIENT_TOKEN)).data.documentId
  const register = async (username: string, password: string): Promise<string> =>
    (await post('/api/auth/local/register', { username, email: `${username}@example.com`, password })).jwt

  await register(USER_NAME, PASSWORD)
  const userToken = await register('attacker', 'Passw0rd-of-attackers')
  const vaultId = await create('/api/vaults', { content: VAULT_VALUE })
  const shelf = await create('/api/shelfs', { name: 'shelf' })
  for (let number = 0; number < ARTICLES; number++)
    await create('/api/articles', {
      title: `kept ${number}`,
      approved: true,
      secret: PRIVATE_VALUE,
      pin: PRIVATE_VALUE,
      shelf,
      vault: vaultId,
    })
  const draftId = await create('/api/articles?status=draft', {
    title: 'not approved',
    approved: false,
    shelf,
  })
  // Loads the code of the tools for agents before memory is measured, however few attacks the rehearsal plays.
  const { status, text } = await send('/mcp', {
    method: 'POST',
    token: userToken,
    headers: { accept: 'application/json, text/event-stream' },
    json: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
  })
  if (status !== 200) throw new Error(`POST /mcp failed: ${status} ${text}`)
  close()
  return { userToken, vaultId, draftId }
}

const FILLING_QUERIES = 2_000
const AT_ONCE = 8

/**
 * Fills the caches of queries, counts and responses, which are bounded by their bytes, with queries that differ in a long
 * value. Otherwise a slow server would fill them only during the siege, and its memory would rise to their bounds.
 */
export async function fillCaches(base: string): Promise<void> {
  const { send, close } = createSender(base, CLIENT_ADDRESS)
  for (let first = 0; first < FILLING_QUERIES; first += AT_ONCE)
    await Promise.all(
      Array.from({ length: AT_ONCE }, async (_, index) => {
        const value = String(first + index).padEnd(1_000, 'x')
        const { status, text } = await send(`/api/tags?filters[name]=${value}&pagination[pageSize]=1`)
        if (status !== 200) throw new Error(`A query for the caches failed: ${status} ${text}`)
      }),
    )
  close()
}
