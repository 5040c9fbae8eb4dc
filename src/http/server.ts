/** What every route uses. Created once; the model and what depends on it are looked up at each request. */
import type { FastifyBaseLogger } from 'fastify'
import type { Access } from '../access/access.ts'
import type { Documents } from '../documents/documents.ts'
import type { Project } from '../model/load-project.ts'
import type { Reads } from '../reads/reads.ts'
import type { ResponseCache } from '../reads/response-cache.ts'
import type { MaybePromise } from '../store/maybe-promise.ts'
import type { Store } from '../store/store.ts'
import type { Layout } from '../store/tables/layout.ts'
import type { HooksAndPolicies } from './extension/hooks-and-policies.ts'
import type { QueryParser } from './request/query-string.ts'
import type { ContentResponse } from './response/content-response.ts'

export interface Server {
  readonly project: Project
  readonly store: Store
  readonly access: Access
  readonly documents: Documents
  /** The project's own code. */
  readonly extension: HooksAndPolicies
  readonly log: FastifyBaseLogger
  /** Whether the stricter rules of production apply, and responses leave out what only developers need. */
  readonly production: boolean
  /** Parses the query string of a request. Requests share the result; it must not be modified. */
  readonly parseQuery: QueryParser
  /** Cached responses of content reads; null when the cache is disabled. */
  readonly responseCache: ResponseCache<ContentResponse> | null
  /** The current model with its tables. */
  layout(): Layout
  /** Reads of the current model. */
  reads(): Reads
  /**
   * Runs `work` with a server that is pinned to the current model, and again when the database turns out to have another
   * model. With `isRead`, `work` may also be repeated after it succeeded.
   */
  withLatestModel<Result>(
    work: (server: Server) => MaybePromise<Result>,
    isRead?: boolean,
  ): MaybePromise<Result>
}
