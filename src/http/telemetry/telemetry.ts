/** OpenTelemetry spans for requests and statements. Loaded only if `telemetry.enabled` is set. */
import type { FastifyInstance } from 'fastify'
import type { Store } from '../../store/store.ts'
import { loadOpenTelemetry } from './opentelemetry.ts'
import { traceRequests } from './requests.ts'
import { traceStore } from './statements.ts'

export interface Telemetry {
  traceStore(store: Store): Store
  /** Must be called before any hook is added to the app. */
  attach(app: FastifyInstance): void
}

/** Throws a StartError when the project has not installed the OpenTelemetry API. */
export async function openTelemetry(dir: string): Promise<Telemetry> {
  const api = await loadOpenTelemetry(dir)
  const tracer = api.trace.getTracer('octavo')
  return {
    traceStore: (store) => traceStore(store, api, tracer),
    attach: (app) => traceRequests(app, api, tracer),
  }
}
