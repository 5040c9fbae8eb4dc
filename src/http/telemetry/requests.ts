/** Adds a span for each request, as a child of the span in the caller's headers. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import {
  type Context,
  ERROR_STATUS,
  type OpenTelemetry,
  SPAN_KIND,
  type Span,
  type Tracer,
} from './opentelemetry.ts'

/** Must be called before any other hook is added, so that those run inside the span too. */
export function traceRequests(
  app: FastifyInstance,
  { trace, context, propagation }: OpenTelemetry,
  tracer: Tracer,
) {
  const open = new WeakMap<FastifyRequest, { readonly span: Span; readonly spanContext: Context }>()

  app.addHook('onRequest', (request, _reply, done) => {
    const { method, headers, routeOptions, id } = request
    const { url: route } = routeOptions
    const parent = propagation.extract(context.active(), headers)
    const attributes = { 'http.request.method': method, 'http.route': route, 'octavo.request_id': id }
    const name = route === undefined ? method : `${method} ${route}`
    const span = tracer.startSpan(name, { kind: SPAN_KIND.server, attributes }, parent)
    const spanContext = trace.setSpan(parent, span)
    open.set(request, { span, spanContext })
    context.with(spanContext, done)
  })

  // Reading the body loses the context.
  app.addHook('preHandler', (request, _reply, done) => {
    const spanContext = open.get(request)?.spanContext
    if (spanContext) context.with(spanContext, done)
    else done()
  })

  app.addHook('onError', (request, reply, error, done) => {
    if (reply.statusCode >= 500) open.get(request)?.span.recordException(error)
    done()
  })

  app.addHook('onResponse', (request, { statusCode }, done) => {
    const span = open.get(request)?.span
    span?.setAttributes({ 'http.response.status_code': statusCode })
    if (statusCode >= 500) span?.setStatus(ERROR_STATUS)
    span?.end()
    done()
  })
}
