/** What every route has at hand. Made once by `app.ts`; the state of the model is asked for at each request. */
import type { FastifyBaseLogger } from 'fastify'
import type { Access } from '../access/access.ts'
import type { Documents } from '../documents/documents.ts'
import type { Project } from '../model/load-project.ts'
import type { Reads } from '../reads/reads.ts'
import type { ResponseCache } from '../reads/response-cache.ts'
import type { MaybePromise } from '../store/maybe-promise.ts'
import type { Store } from '../store/store.ts'
import type { Layout } from '../store/tables/layout.ts'
import type { Extension } from './extension/extension.ts'
import type { QueryParser } from './request/query-string.ts'
import type { ContentResponse } from './response/content-response.ts'

export interface Server {
  readonly project: Project
  readonly store: Store
  readonly access: Access
  readonly documents: Documents
  /** What the project adds in its own code. */
  readonly extension: Extension
  readonly log: FastifyBaseLogger
  /** Whether what development is forgiven is refused, and what it is told is left out. */
  readonly production: boolean
  /** Parses the query string of a request. Requests share the result; it must not be modified. */
  readonly parseQuery: QueryParser
  /** Cached responses of content reads; null when the cache is disabled. */
  readonly responseCache: ResponseCache<ContentResponse> | null
  /** The model as the database has it now. */
  layout(): Layout
  /** The reads of the model as it is now. */
  reads(): Reads
  /**
   * Does something with the model as it is now, whatever changes meanwhile; `work` is given a server with that model
   * and runs again when it met another in the database. Says of what only reads that it may be repeated after success.
   */
  withLatestModel<Result>(
    work: (server: Server) => MaybePromise<Result>,
    isRead?: boolean,
  ): MaybePromise<Result>
}
