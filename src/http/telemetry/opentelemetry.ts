/** The part of the OpenTelemetry API that Octavo uses, loaded from the project's own `node_modules`. */
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { StartError } from '../../store/errors.ts'

type Attributes = Readonly<Record<string, string | number | undefined>>

export interface Span {
  setAttributes(attributes: Attributes): unknown
  setStatus(status: { readonly code: number }): unknown
  recordException(error: unknown): void
  end(): void
}

export type Context = object

export interface Tracer {
  startSpan(
    name: string,
    options?: { readonly kind?: number; readonly attributes?: Attributes },
    context?: Context,
  ): Span
}

export interface OpenTelemetry {
  readonly trace: {
    getTracer(name: string): Tracer
    setSpan(context: Context, span: Span): Context
    getActiveSpan(): Span | undefined
  }
  readonly context: {
    active(): Context
    with(context: Context, work: () => void): void
  }
  readonly propagation: { extract(context: Context, carrier: object): Context }
}

export const SPAN_KIND = { server: 1, client: 2 } as const
export const ERROR_STATUS = { code: 2 } as const

const PACKAGE = '@opentelemetry/api'

export async function loadOpenTelemetry(dir: string): Promise<OpenTelemetry> {
  const file = resolve(dir)
  if (file === null)
    throw new StartError(
      `telemetry.enabled requires a package that is not installed. Run: npm install ${PACKAGE}`,
    )
  const api: OpenTelemetry = await import(pathToFileURL(file).href)
  return api
}

function resolve(dir: string): string | null {
  try {
    return createRequire(path.resolve(dir, 'package.json')).resolve(PACKAGE)
  } catch {
    return null
  }
}
