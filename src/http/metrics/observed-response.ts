/**
 * A response class that reports each response when it ends, without a listener or a hook per request. Routes label their
 * responses; responses without a label are reported under the route `none`.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { ServerResponse as NodeResponse } from '../node-http.ts'

/** A response that has been handed to the network. */
export interface FinishedResponse {
  readonly method: string
  /** The pattern of the route, such as `/api/:name`; never the path itself. */
  readonly route: string
  /** The `:name` parameter of a content route, as sent by the client. */
  readonly name: string | null
  readonly status: number
  readonly milliseconds: number
  /** Known only if requests are logged, or on the fast path. */
  readonly requestId: string | null
}

export type ResponseObserver = (response: FinishedResponse) => void

const NO_ROUTE = 'none'

interface ObservedResponse extends ServerResponse {
  route: string
  contentName: string | null
  requestId: string | null
}

/** Creates a response class that calls the observer once for each response. */
export function createResponseClass(observe: ResponseObserver): typeof ServerResponse {
  return class<Request extends IncomingMessage> extends NodeResponse<Request> implements ObservedResponse {
    route = NO_ROUTE
    contentName: string | null = null
    requestId: string | null = null
    /** When the headers of the request arrived; -1 once the response was reported. */
    startedAt = performance.now()

    override end(...args: unknown[]): this {
      Reflect.apply(super.end, this, args)
      const { startedAt } = this
      if (startedAt < 0) return this
      this.startedAt = -1
      observe({
        method: this.req.method ?? '',
        route: this.route,
        name: this.contentName,
        status: this.statusCode,
        milliseconds: performance.now() - startedAt,
        requestId: this.requestId,
      })
      return this
    }
  }
}

const isObserved = (response: ServerResponse): response is ObservedResponse => 'contentName' in response

export function labelResponse(
  response: ServerResponse,
  route: string,
  name: string,
  requestId: string,
): void {
  if (!isObserved(response)) return
  response.route = route
  response.contentName = name
  response.requestId = requestId
}

/** Makes every route that is added from now on label its responses. */
export function labelResponsesByRoute(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const { url } = route
    const isContent = url.startsWith('/api/:name')
    const before = route.onRequest ?? []
    route.onRequest = [
      (request, reply, done) => {
        const { raw } = reply
        if (isObserved(raw)) {
          raw.route = url
          if (isContent) raw.contentName = nameOf(request.params)
        }
        done()
      },
      ...(Array.isArray(before) ? before : [before]),
    ]
  })
}

export function labelResponsesByRequestId(app: FastifyInstance): void {
  app.addHook('onRequest', ({ id }, { raw }, done) => {
    if (isObserved(raw)) raw.requestId = id
    done()
  })
}

const nameOf = (params: unknown): string | null =>
  typeof params === 'object' && params !== null && 'name' in params && typeof params.name === 'string'
    ? params.name
    : null
