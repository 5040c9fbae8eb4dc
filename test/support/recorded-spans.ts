/** Records the OpenTelemetry spans of a test file in memory. */
import { after, before } from 'node:test'
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node'

/** Registers a recorder for all tests of the file. */
export function recordSpans(): InMemorySpanExporter {
  const exporter = new InMemorySpanExporter()
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
  before(() => provider.register())
  after(() => provider.shutdown())
  return exporter
}
