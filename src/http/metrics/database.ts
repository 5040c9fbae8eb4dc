/** Figures of the read side and of the database. */
import type { ReadStats } from '../../reads/read-stats.ts'
import type { EngineName } from '../../store/dialect.ts'
import type { StoreMetrics } from '../../store/store.ts'
import { counter, gauge, type MetricFamily, type Sample, unlabelled } from './prometheus.ts'

/** How often something remembered served. */
export function cacheFamilies({
  responses: answers,
  counts,
  urls,
  plans,
}: ReadStats): readonly MetricFamily[] {
  const caches = Object.entries({ answers, counts, urls, plans })
  return [
    counter(
      'octavo_cache_lookups_total',
      'Looks into what is remembered: answers, counts, urls (requests parsed before) and plans (statements compiled before).',
      caches.flatMap(([cache, { hits, misses }]): Sample[] => [
        { labels: { cache, result: 'hit' }, value: hits },
        { labels: { cache, result: 'miss' }, value: misses },
      ]),
    ),
  ]
}

/** What the database is asked for, and what waits for it. */
export function storeFamilies(engine: EngineName, figures: StoreMetrics): readonly MetricFamily[] {
  const { reads, writes, commits, writesWaiting, pools, replicas } = figures
  const ofPools = (state: 'size' | 'idle' | 'waiting'): readonly Sample[] =>
    pools.map((pool) => ({ labels: { pool: pool.name }, value: pool[state] }))
  const connections: readonly MetricFamily[] = [
    gauge('octavo_pool_connections', 'Connections that are open to a server.', ofPools('size')),
    gauge('octavo_pool_idle_connections', 'Connections that nothing uses.', ofPools('idle')),
    gauge('octavo_pool_waiting', 'Requests that wait for a connection.', ofPools('waiting')),
  ]
  const ofReplicas: readonly MetricFamily[] = [
    gauge(
      'octavo_replica_serving',
      'Whether a replica serves reads; 0 while it is left out.',
      replicas.map(({ name, leftOut }) => ({ labels: { replica: name }, value: leftOut === null ? 1 : 0 })),
    ),
    counter(
      'octavo_replica_statements_total',
      'Statements that a replica has answered.',
      replicas.map(({ name, reads }) => ({ labels: { replica: name }, value: reads })),
    ),
  ]
  return [
    gauge('octavo_database_info', 'Always 1; the label tells the engine.', [
      { labels: { engine }, value: 1 },
    ]),
    counter('octavo_statements_total', 'Statements that read.', unlabelled(reads)),
    counter('octavo_writes_total', 'Writes that were begun.', unlabelled(writes)),
    counter('octavo_commits_total', 'Transactions made durable; writes may share one.', unlabelled(commits)),
    gauge('octavo_writes_waiting', 'Writes that wait for those before them.', unlabelled(writesWaiting)),
    ...(pools.length > 0 ? connections : []),
    ...(replicas.length > 0 ? ofReplicas : []),
  ]
}
