/** Starts the server of `ceiling.ts` and gives it the statements of a workload. */

import type { BenchRequest } from '../workloads.ts'
import type { CeilingStatement } from './ceiling.ts'
import { type Child, startChild } from './child-process.ts'
import { createAdminToken } from './server-process.ts'

export interface Ceiling {
  readonly child: Child
  /** From now on it sends the statements with which the server at an address responds to these requests. */
  prepare(address: string, requests: readonly BenchRequest[]): Promise<void>
  stop(): Promise<void>
}

/** Starts it on the database of a server. */
export async function startCeiling(project: string, database: string): Promise<Ceiling> {
  const token = await createAdminToken(project, database)
  const child = await startChild('ceiling.ts', [database])
  return {
    child,
    async prepare(address, requests) {
      const statements: CeilingStatement[] = []
      for (const { path } of requests) statements.push(await statementOf(address, path, token))
      await child.sendOnce({ statements })
    },
    stop: child.stop,
  }
}

/** The statement of a read; without the count, which the server knows after the first read. */
async function statementOf(address: string, path: string, token: string): Promise<CeilingStatement> {
  const url = new URL(encodeURI(path), address)
  const isList = !/^\/api\/[^/]+\//.test(url.pathname)
  url.searchParams.append('explain', 'true')
  if (isList) url.searchParams.set('pagination[withCount]', 'false')
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  const text = await response.text()
  if (!response.ok) throw new Error(`${url} returned ${response.status} ${text}`)
  const { data }: { data: { statement: string; parameters: CeilingStatement['parameters'] } } =
    JSON.parse(text)
  return { sql: data.statement, parameters: data.parameters }
}
