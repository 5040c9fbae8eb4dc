/** Spans of OpenTelemetry, for projects that have asked for them. Nothing of it is loaded or done for others. */
import type { FastifyInstance } from 'fastify'
import type { Store } from '../../store/store.ts'
import { loadOpenTelemetry } from './opentelemetry.ts'
import { traceRequests } from './requests.ts'
import { traceStore } from './statements.ts'

export interface Telemetry {
  /** The store with spans around what it does. */
  traceStore(store: Store): Store
  /** To be called before any hook is added to the app. */
  attach(app: FastifyInstance): void
}

/** Opens the OpenTelemetry of a project; a project that lacks it is told so with a StartError. */
export async function openTelemetry(dir: string): Promise<Telemetry> {
  const api = await loadOpenTelemetry(dir)
  const tracer = api.trace.getTracer('octavo')
  return {
    traceStore: (store) => traceStore(store, api, tracer),
    attach: (app) => traceRequests(app, api, tracer),
  }
}
