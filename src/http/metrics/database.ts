/** Metrics of the caches and of the database. */
import type { ReadStats } from '../../reads/read-stats.ts'
import type { EngineName } from '../../store/dialect.ts'
import type { StoreMetrics } from '../../store/store.ts'
import { counter, gauge, type MetricFamily, type Sample, unlabelled } from './prometheus.ts'

export function cacheFamilies({ responses, counts, urls, plans }: ReadStats): readonly MetricFamily[] {
  const caches = Object.entries({ answers: responses, counts, urls, plans })
  return [
    counter(
      'octavo_cache_lookups_total',
      'Cache lookups: answers (responses), counts, urls (parsed queries) and plans (compiled statements).',
      caches.flatMap(([cache, { hits, misses }]): Sample[] => [
        { labels: { cache, result: 'hit' }, value: hits },
        { labels: { cache, result: 'miss' }, value: misses },
      ]),
    ),
  ]
}

export function storeFamilies(engine: EngineName, metrics: StoreMetrics): readonly MetricFamily[] {
  const { reads, refusedReads, writes, commits, writesWaiting, pools, replicas } = metrics
  const ofPools = (state: 'size' | 'idle' | 'waiting'): readonly Sample[] =>
    pools.map((pool) => ({ labels: { pool: pool.name }, value: pool[state] }))
  const connections: readonly MetricFamily[] = [
    gauge('octavo_pool_connections', 'Open connections.', ofPools('size')),
    gauge('octavo_pool_idle_connections', 'Idle connections.', ofPools('idle')),
    gauge('octavo_pool_waiting', 'Requests waiting for a connection.', ofPools('waiting')),
  ]
  const ofReplicas: readonly MetricFamily[] = [
    gauge(
      'octavo_replica_serving',
      '1 if the replica is used for reads, otherwise 0.',
      replicas.map(({ name, leftOut }) => ({ labels: { replica: name }, value: leftOut === null ? 1 : 0 })),
    ),
    counter(
      'octavo_replica_statements_total',
      'Statements run on the replica.',
      replicas.map(({ name, reads }) => ({ labels: { replica: name }, value: reads })),
    ),
  ]
  return [
    gauge('octavo_database_info', 'Always 1; the label is the engine.', [{ labels: { engine }, value: 1 }]),
    counter('octavo_statements_total', 'Read statements.', unlabelled(reads)),
    counter(
      'octavo_refused_reads_total',
      'Reads beyond a limit: time (limits.readMs), bytes (limits.responseBytes), share (slow reads of one caller).',
      Object.entries(refusedReads).map(([limit, value]) => ({ labels: { limit }, value })),
    ),
    counter('octavo_writes_total', 'Writes started.', unlabelled(writes)),
    counter(
      'octavo_commits_total',
      'Committed transactions; concurrent writes may share one.',
      unlabelled(commits),
    ),
    gauge('octavo_writes_waiting', 'Queued writes.', unlabelled(writesWaiting)),
    ...(pools.length > 0 ? connections : []),
    ...(replicas.length > 0 ? ofReplicas : []),
  ]
}
