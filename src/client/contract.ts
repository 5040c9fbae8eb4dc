/** What the client offers: one function for each operation, typed by the schema of a project. */
import type { AccountClient } from './accounts.ts'
import type { Filters, ListSort } from './filters.ts'
import type { HistoryClient } from './history.ts'
import type { Exact, Fields, Populate } from './populate.ts'
import type { About, CallOptions, ChangeOptions, CreateOptions, Session } from './requests.ts'
import type { Answer, Pagination, PaginationMeta, Status } from './response-types.ts'
import type { Scheduling } from './schedule.ts'
import type { DocumentShape, LocaleOf, Named, Schema, Shape } from './schema.ts'
import type { ContentEvent, ResetEvent, SubscribeOptions } from './subscribe.ts'
import type { FileInfo, OnProgress } from './upload.ts'

/** The query parameters of every request. `F`, `P` and `S` are inferred and decide the type of the response. */
export interface OneQuery<Of extends Shape, F, P, S, L extends string = string> {
  readonly fields?: F
  readonly populate?: P & Exact<Populate<Of>, P>
  readonly status?: S
  readonly locale?: L
}

export interface ListQuery<Of extends Shape, F, P, S, G, L extends string = string>
  extends Omit<OneQuery<Of, F, P, S>, 'locale'> {
  readonly filters?: Filters<Of>
  /** `_score` needs `_q`. */
  readonly sort?: ListSort<Of>
  readonly pagination?: G
  /** Searches the text fields. */
  readonly _q?: string
  /** A locale, a list of them, or `*` for all. */
  readonly locale?: L | '*' | readonly L[]
  readonly publicationFilter?: PublicationFilter
  readonly hasPublishedVersion?: boolean
}

export type PublicationFilter =
  | 'never-published'
  | 'has-published-version'
  | 'modified'
  | 'unmodified'
  | 'never-published-document'
  | 'has-published-version-document'
  | 'published-without-draft'
  | 'published-with-draft'

/** The data of a new document: everything that is required, unless it is a draft. */
export type NewInput<Of extends DocumentShape, S> = [S] extends ['draft']
  ? Of['input']
  : Of['input'] & { [Name in keyof Of['input'] & Of['required']]-?: NonNullable<Of['input'][Name]> }

type None = Record<never, never>
type Collection<S extends Schema, Name extends keyof S['collections']> = Named<S['collections'], Name>
type Single<S extends Schema, Name extends keyof S['singles']> = Named<S['singles'], Name>
type DocumentResult<Of extends Shape, F, P, S> = Answer<Of, { fields: F; populate: P; status: S }>

/** The document of a collection or single type in an event. */
type NamedDocument<Project extends Schema, Name> = Name extends keyof Project['collections']
  ? DocumentResult<Collection<Project, Name>, '*', None, 'published'>
  : Name extends keyof Project['singles']
    ? DocumentResult<Single<Project, Name>, '*', None, 'published'>
    : never

/** An action on the versions of a document. Returns the version with the status `S`. */
export type DocumentAction<Project extends Schema, S extends Status> = <
  Name extends keyof Project['collections'] & string,
  const F extends Fields<Collection<Project, Name>> = '*',
  const P extends Populate<Collection<Project, Name>> = None,
>(
  name: Name,
  documentId: string,
  query?: Omit<OneQuery<Collection<Project, Name>, F, P, never, LocaleOf<Project>>, 'status'>,
  options?: CreateOptions & ChangeOptions,
) => Promise<DocumentResult<Collection<Project, Name>, F, P, S>>

/** The same for the document of a single type. */
export type SingleAction<Project extends Schema, S extends Status> = <
  Name extends keyof Project['singles'] & string,
  const F extends Fields<Single<Project, Name>> = '*',
  const P extends Populate<Single<Project, Name>> = None,
>(
  name: Name,
  query?: Omit<OneQuery<Single<Project, Name>, F, P, never, LocaleOf<Project>>, 'status'>,
  options?: CreateOptions & ChangeOptions,
) => Promise<DocumentResult<Single<Project, Name>, F, P, S>>

export interface Client<Project extends Schema>
  extends Scheduling<Project>,
    HistoryClient<Project>,
    AccountClient {
  /** A page of documents. */
  find<
    Name extends keyof Project['collections'] & string,
    const F extends Fields<Collection<Project, Name>> = '*',
    const P extends Populate<Collection<Project, Name>> = None,
    S extends Status = 'published',
    const G extends Pagination = None,
  >(
    name: Name,
    query?: ListQuery<Collection<Project, Name>, F, P, S, G, LocaleOf<Project>>,
    options?: CallOptions,
  ): Promise<{
    data: DocumentResult<Collection<Project, Name>, F, P, S>[]
    meta: { pagination: PaginationMeta<G> }
  }>

  /** One document; throws an OctavoError with the kind `NotFoundError` if it does not exist. */
  findOne<
    Name extends keyof Project['collections'] & string,
    const F extends Fields<Collection<Project, Name>> = '*',
    const P extends Populate<Collection<Project, Name>> = None,
    S extends Status = 'published',
  >(
    name: Name,
    documentId: string,
    query?: OneQuery<Collection<Project, Name>, F, P, S, LocaleOf<Project>>,
    options?: CallOptions,
  ): Promise<DocumentResult<Collection<Project, Name>, F, P, S>>

  /** Creates a document, and publishes it unless the status is `draft`. The response has no numeric id. */
  create<
    Name extends keyof Project['collections'] & string,
    const F extends Fields<Collection<Project, Name>> = '*',
    const P extends Populate<Collection<Project, Name>> = None,
    S extends Status = 'published',
  >(
    name: Name,
    data: NewInput<Collection<Project, Name>, S>,
    query?: OneQuery<Collection<Project, Name>, F, P, S, LocaleOf<Project>>,
    options?: CreateOptions,
  ): Promise<Omit<DocumentResult<Collection<Project, Name>, F, P, S>, 'id'>>

  /** Changes the attributes that are sent and keeps the others; null clears an attribute. */
  update<
    Name extends keyof Project['collections'] & string,
    const F extends Fields<Collection<Project, Name>> = '*',
    const P extends Populate<Collection<Project, Name>> = None,
    S extends Status = 'published',
  >(
    name: Name,
    documentId: string,
    data: Collection<Project, Name>['input'],
    query?: OneQuery<Collection<Project, Name>, F, P, S, LocaleOf<Project>>,
    options?: ChangeOptions,
  ): Promise<DocumentResult<Collection<Project, Name>, F, P, S>>

  /** Deletes one locale of a document, by default the default locale; `*` deletes all of them. */
  delete(
    name: keyof Project['collections'] & string,
    documentId: string,
    query?: { readonly locale?: LocaleOf<Project> | '*' },
    options?: ChangeOptions,
  ): Promise<void>

  /** Publishes the draft. */
  publish: DocumentAction<Project, 'published'>

  /** Removes the published version and returns the draft. */
  unpublish: DocumentAction<Project, 'draft'>

  /** Replaces the draft with the published version, and returns it. */
  discard: DocumentAction<Project, 'draft'>

  /** The document of a single type. */
  findSingle<
    Name extends keyof Project['singles'] & string,
    const F extends Fields<Single<Project, Name>> = '*',
    const P extends Populate<Single<Project, Name>> = None,
    S extends Status = 'published',
  >(
    name: Name,
    query?: OneQuery<Single<Project, Name>, F, P, S, LocaleOf<Project>>,
    options?: CallOptions,
  ): Promise<DocumentResult<Single<Project, Name>, F, P, S>>

  /** Updates the document of a single type, or creates it. */
  updateSingle<
    Name extends keyof Project['singles'] & string,
    const F extends Fields<Single<Project, Name>> = '*',
    const P extends Populate<Single<Project, Name>> = None,
    S extends Status = 'published',
  >(
    name: Name,
    data: Single<Project, Name>['input'],
    query?: OneQuery<Single<Project, Name>, F, P, S, LocaleOf<Project>>,
    options?: ChangeOptions,
  ): Promise<DocumentResult<Single<Project, Name>, F, P, S>>

  deleteSingle(
    name: keyof Project['singles'] & string,
    query?: { readonly locale?: LocaleOf<Project> | '*' },
    options?: ChangeOptions,
  ): Promise<void>

  /** Publishes the draft of a single type. */
  publishSingle: SingleAction<Project, 'published'>

  /** Removes the published version of a single type and returns the draft. */
  unpublishSingle: SingleAction<Project, 'draft'>

  /** Replaces the draft of a single type with the published version, and returns it. */
  discardSingle: SingleAction<Project, 'draft'>

  /** Every document that `find` would list, page by page, in an order that writes meanwhile do not disturb. */
  all<
    Name extends keyof Project['collections'] & string,
    const F extends Fields<Collection<Project, Name>> = '*',
    const P extends Populate<Collection<Project, Name>> = None,
    S extends Status = 'published',
  >(
    name: Name,
    query?: Omit<ListQuery<Collection<Project, Name>, F, P, S, None, LocaleOf<Project>>, 'pagination'> & {
      readonly pageSize?: number
    },
    options?: CallOptions,
  ): AsyncGenerator<DocumentResult<Collection<Project, Name>, F, P, S>, void>

  /** Several writes, all of them or none. Paths begin with `/api/`; see `docs/writing.md`. */
  batch(operations: readonly BatchOperation[], options?: CreateOptions): Promise<BatchResult[]>

  /** Uploads files; `info` describes them in the same order. */
  upload(
    files: Blob | readonly Blob[],
    info?: FileInfo | readonly FileInfo[],
    options?: CallOptions & { readonly onProgress?: OnProgress },
  ): Promise<Answer<Project['file']>[]>

  readonly files: {
    list(query?: FileQuery, options?: CallOptions): Promise<Answer<Project['file']>[]>
    findOne(id: number | string, options?: CallOptions): Promise<Answer<Project['file']>>
    delete(id: number | string, options?: CallOptions): Promise<void>
  }

  /** The session of the signed-in user, if there is one. */
  readonly session: Session | null

  /**
   * Changes of content from now on, as an endless sequence; `reset` says that some were missed. See `docs/events.md`.
   */
  subscribe<Name extends (keyof Project['collections'] | keyof Project['singles']) & string>(
    options?: SubscribeOptions<Name>,
  ): AsyncGenerator<ContentEvent<NamedDocument<Project, Name>> | ResetEvent, void>

  /** The headers of the response that `result` comes from. Works for the object that a call returned, not for a copy. */
  about(result: object): About
}

export interface FileQuery {
  readonly filters?: object
  readonly sort?: string | readonly string[]
  readonly fields?: string | readonly string[]
  readonly pagination?: { readonly page?: number; readonly pageSize?: number }
  readonly folder?: string
  readonly _q?: string
}

export interface BatchOperation {
  readonly method: 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly body?: unknown
  /** For references in later operations. */
  readonly id?: string
  readonly ifMatch?: string
}

export interface BatchResult {
  readonly status: number
  /** The response to the operation; null if it has none. */
  readonly body: { readonly data: { readonly documentId: string; readonly [field: string]: unknown } } | null
}
