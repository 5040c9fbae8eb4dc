/** What a server prints when it has started: its addresses, and what it serves. */
import type { Project } from '../../model/load-project.ts'
import { printableUrl } from '../database.ts'

/** The first line is also for programs that start a server and wait for it. */
export function startReport({ dir, config }: Project, address: string, workers = 1): string {
  const { admin, docs, server, database } = config
  const base = (server.url ?? address).replace(/\/$/, '')
  const lines: readonly (readonly [name: string, value: string] | null)[] = [
    admin.enabled ? ['Admin app', base + admin.path] : null,
    docs.enabled ? ['API reference', `${base}/docs`] : null,
    ['Project', dir],
    ['Database', printableUrl(database.url)],
    workers > 1 ? ['Workers', String(workers)] : null,
  ]
  const shown = lines.filter((line) => line !== null)
  const width = Math.max(...shown.map(([name]) => name.length))
  return [
    `Octavo is listening on ${address}`,
    ...shown.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`),
  ].join('\n')
}
