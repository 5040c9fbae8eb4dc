/**
 * Answers are counted as they leave, by the response object itself: that costs no listener and no hook at the end of a
 * request. A route tells the response which of them it is; what no route takes is counted together.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { ServerResponse as NodeResponse } from '../node-http.ts'

/** An answer that has just been handed to the network. */
export interface FinishedResponse {
  readonly method: string
  /** The pattern of the route, such as `/api/:name`; never the path itself. */
  readonly route: string
  /** What stands for `:name` in routes of content, as it was sent. */
  readonly name: string | null
  readonly status: number
  readonly milliseconds: number
  /** The name of the request, when it was told. */
  readonly requestId: string | null
}

/** What is done with each answer. */
export type ResponseObserver = (answered: FinishedResponse) => void

const NO_ROUTE = 'none'

interface ObservedResponse extends ServerResponse {
  route: string
  contentName: string | null
  requestId: string | null
}

/** The class of responses that tell a watcher when they end. `watchRoutes` tells them their routes. */
export function createResponseClass(watch: ResponseObserver): typeof ServerResponse {
  return class<Request extends IncomingMessage> extends NodeResponse<Request> implements ObservedResponse {
    route = NO_ROUTE
    contentName: string | null = null
    requestId: string | null = null
    /** When the head of the request had arrived; negative once the answer is gone. */
    began = performance.now()

    override end(...given: unknown[]): this {
      Reflect.apply(super.end, this, given)
      const { began } = this
      if (began < 0) return this
      this.began = -1
      watch({
        method: this.req.method ?? '',
        route: this.route,
        name: this.contentName,
        status: this.statusCode,
        milliseconds: performance.now() - began,
        requestId: this.requestId,
      })
      return this
    }
  }
}

const isObserved = (response: ServerResponse): response is ObservedResponse => 'contentName' in response

/** Tells a response which route it is from, what stands for `:name` in it, and the name of the request. */
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

/** Has every route that is declared from now on tell its responses which route they are from. */
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

/** Has responses know the names of their requests too. */
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
