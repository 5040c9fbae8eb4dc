/**
 * A small typed client for browsers, Deno, Bun and Node 18 or later. It needs nothing but `fetch`. Published as
 * `octavo-client`, and as `octavo/client` with the server.
 */

export { createClient } from './client.ts'
export type {
  BatchOperation,
  BatchResult,
  Client,
  FileQuery,
  NewInput,
  PublicationFilter,
} from './contract.ts'
export { type ErrorName, OctavoError, type Problem } from './error.ts'
export type { Filters, Sort } from './filters.ts'
export type { SavedVersion, VersionChange } from './history.ts'
export type { Fields, Populate } from './populate.ts'
export { queryString } from './query-string.ts'
export type { About, CallOptions, ChangeOptions, ClientOptions, CreateOptions, Session } from './requests.ts'
export type {
  Answer,
  CursorMeta,
  OffsetMeta,
  PageMeta,
  Pagination,
  PaginationMeta,
  Status,
} from './response-types.ts'
export type { Schedule, ScheduleTimes } from './schedule.ts'
export type { DocumentShape, Link, Schema, Shape } from './schema.ts'
export type { NewAccount, SignedInUser } from './session.ts'
export type { ChangeName, ContentEvent, ResetEvent, SubscribeOptions } from './subscribe.ts'
export type { FileInfo, OnProgress } from './upload.ts'
