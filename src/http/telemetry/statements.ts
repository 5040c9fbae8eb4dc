/** Adds a span for each read statement and each write of a request. Spans contain no values. */
import type { MaybePromise } from '../../store/maybe-promise.ts'
import type { Statement } from '../../store/statement.ts'
import type { Store } from '../../store/store.ts'
import { ERROR_STATUS, type OpenTelemetry, SPAN_KIND, type Tracer } from './opentelemetry.ts'

/** Work that does not belong to a request gets no span. */
export function traceStore(store: Store, { trace }: OpenTelemetry, tracer: Tracer): Store {
  const system = store.dialect.telemetryName

  async function inSpan<Result>(
    name: string,
    statement: Statement | null,
    work: () => MaybePromise<Result>,
  ): Promise<Result> {
    if (!trace.getActiveSpan()) return work()
    const attributes = { 'db.system.name': system, ...(statement && { 'db.query.text': statement.sql }) }
    const span = tracer.startSpan(name, { kind: SPAN_KIND.client, attributes })
    try {
      return await work()
    } catch (error) {
      span.recordException(error)
      span.setStatus(ERROR_STATUS)
      throw error
    } finally {
      span.end()
    }
  }

  return {
    dialect: store.dialect,
    read: (statement, tables, limits) =>
      inSpan('read', statement, () => store.read(statement, tables, limits)),
    readFirstRow: (statement, tables, limits) =>
      inSpan('read', statement, () => store.readFirstRow(statement, tables, limits)),
    snapshot: (work) => store.snapshot(work),
    write: (work, options) => inSpan('write', null, () => store.write(work, options)),
    tableVersion: (table) => store.tableVersion(table),
    globalVersion: () => store.globalVersion(),
    requestArrived: () => store.requestArrived(),
    schemaChanged: () => store.schemaChanged?.(),
    ...(store.positions && { positions: store.positions }),
    get durabilityFailure() {
      return store.durabilityFailure
    },
    get statements() {
      return store.statements
    },
    explain: (statement) => store.explain(statement),
    createIndex: (index, signal) => store.createIndex(index, signal),
    dropIndex: (name) => store.dropIndex(name),
    metrics: () => store.metrics(),
    close: () => store.close(),
  }
}
