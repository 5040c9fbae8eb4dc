/** The client: one function for each operation on documents, typed by the schema of a project. */

import type { Filters, Sort } from './filters.ts'
import type { Exact, Fields, Populate } from './populate.ts'
import {
  type About,
  type CallOptions,
  type ChangeOptions,
  type ClientOptions,
  type CreateOptions,
  createRequest,
} from './requests.ts'
import type { Answer, Pagination, PaginationMeta, Status } from './response-types.ts'
import { type Schedule, type Scheduling, scheduling } from './schedule.ts'
import type { DocumentShape, Named, Schema, Shape } from './schema.ts'
import { type ContentEvent, type ResetEvent, type SubscribeOptions, subscribe } from './subscribe.ts'

/** The query parameters of every request. `F`, `P` and `S` are inferred and decide the type of the response. */
export interface OneQuery<Of extends Shape, F, P, S> {
  readonly fields?: F
  readonly populate?: P & Exact<Populate<Of>, P>
  readonly status?: S
  readonly locale?: string
}

export interface ListQuery<Of extends Shape, F, P, S, G> extends Omit<OneQuery<Of, F, P, S>, 'locale'> {
  readonly filters?: Filters<Of>
  readonly sort?: Sort<Of>
  readonly pagination?: G
  /** Searches the text fields. */
  readonly _q?: string
  /** A locale, a list of them, or `*` for all. */
  readonly locale?: string | readonly string[]
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

export interface FileInfo {
  readonly name?: string
  readonly alternativeText?: string | null
  readonly caption?: string | null
  readonly focalPoint?: { readonly x: number; readonly y: number } | null
  readonly folder?: string
}

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
type DocumentAction<Project extends Schema, S extends Status> = <
  Name extends keyof Project['collections'] & string,
  const F extends Fields<Collection<Project, Name>> = '*',
  const P extends Populate<Collection<Project, Name>> = None,
>(
  name: Name,
  documentId: string,
  query?: Omit<OneQuery<Collection<Project, Name>, F, P, never>, 'status'>,
  options?: CreateOptions & ChangeOptions,
) => Promise<DocumentResult<Collection<Project, Name>, F, P, S>>

/** The same for the document of a single type. */
type SingleAction<Project extends Schema, S extends Status> = <
  Name extends keyof Project['singles'] & string,
  const F extends Fields<Single<Project, Name>> = '*',
  const P extends Populate<Single<Project, Name>> = None,
>(
  name: Name,
  query?: Omit<OneQuery<Single<Project, Name>, F, P, never>, 'status'>,
  options?: CreateOptions & ChangeOptions,
) => Promise<DocumentResult<Single<Project, Name>, F, P, S>>

export interface Client<Project extends Schema> extends Scheduling<Project> {
  /** A page of documents. */
  find<
    Name extends keyof Project['collections'] & string,
    const F extends Fields<Collection<Project, Name>> = '*',
    const P extends Populate<Collection<Project, Name>> = None,
    S extends Status = 'published',
    const G extends Pagination = None,
  >(
    name: Name,
    query?: ListQuery<Collection<Project, Name>, F, P, S, G>,
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
    query?: OneQuery<Collection<Project, Name>, F, P, S>,
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
    query?: OneQuery<Collection<Project, Name>, F, P, S>,
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
    query?: OneQuery<Collection<Project, Name>, F, P, S>,
    options?: ChangeOptions,
  ): Promise<DocumentResult<Collection<Project, Name>, F, P, S>>

  /** Deletes one locale of a document, by default the default locale; `*` deletes all of them. */
  delete(
    name: keyof Project['collections'] & string,
    documentId: string,
    query?: { readonly locale?: string },
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
    query?: OneQuery<Single<Project, Name>, F, P, S>,
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
    query?: OneQuery<Single<Project, Name>, F, P, S>,
    options?: ChangeOptions,
  ): Promise<DocumentResult<Single<Project, Name>, F, P, S>>

  deleteSingle(
    name: keyof Project['singles'] & string,
    query?: { readonly locale?: string },
    options?: ChangeOptions,
  ): Promise<void>

  /** Publishes the draft of a single type. */
  publishSingle: SingleAction<Project, 'published'>

  /** Removes the published version of a single type and returns the draft. */
  unpublishSingle: SingleAction<Project, 'draft'>

  /** Replaces the draft of a single type with the published version, and returns it. */
  discardSingle: SingleAction<Project, 'draft'>

  /** Uploads files; `info` describes them in the same order. */
  upload(
    files: Blob | readonly Blob[],
    info?: FileInfo | readonly FileInfo[],
    options?: CallOptions,
  ): Promise<Answer<Project['file']>[]>

  /**
   * Changes of content from now on, as an endless sequence; `reset` says that some were missed. See `docs/events.md`.
   */
  subscribe<Name extends (keyof Project['collections'] | keyof Project['singles']) & string>(
    options?: SubscribeOptions<Name>,
  ): AsyncGenerator<ContentEvent<NamedDocument<Project, Name>> | ResetEvent, void>

  /** The headers of the response that `result` comes from. Works for the object that a call returned, not for a copy. */
  about(result: object): About
}

interface Envelope<Data> {
  readonly data: Data
}

/** Creates a client for a server. `Project` is the schema that `octavo types` generates. */
export function createClient<Project extends Schema>(options: ClientOptions): Client<Project> {
  const request = createRequest(options)
  const abouts = new WeakMap<object, About>()
  function withAbout<Result>(result: Result, about: About): Result {
    if (typeof result === 'object' && result !== null) abouts.set(result, about)
    return result
  }
  const wholeBody = async <Result>(...call: Parameters<typeof request>): Promise<Result> => {
    const { body, about } = await request<Result>(...call)
    return withAbout(body, about)
  }
  const documentData = async <Result>(...call: Parameters<typeof request>): Promise<Result> => {
    const { body, about } = await request<Envelope<Result>>(...call)
    return withAbout(body.data, about)
  }

  type Action = 'publish' | 'unpublish' | 'discard'
  const versionAction =
    <S extends Status>(action: Action): DocumentAction<Project, S> =>
    (name, documentId, query, options) =>
      documentData('POST', [name, documentId, 'actions', action], { query, options })
  const singleVersionAction =
    <S extends Status>(action: Action): SingleAction<Project, S> =>
    (name, query, options) =>
      documentData('POST', [name, 'actions', action], { query, options })

  return {
    find: (name, query, options) => wholeBody('GET', [name], { query, options }),
    findOne: (name, documentId, query, options) =>
      documentData('GET', [name, documentId], { query, options }),
    create: (name, data, query, options) => documentData('POST', [name], { query, body: { data }, options }),
    update: (name, documentId, data, query, options) =>
      documentData('PUT', [name, documentId], { query, body: { data }, options }),
    delete: (name, documentId, query, options) => wholeBody('DELETE', [name, documentId], { query, options }),
    publish: versionAction('publish'),
    unpublish: versionAction('unpublish'),
    discard: versionAction('discard'),
    ...scheduling<Project>((...call) => documentData<Schedule>(...call)),
    findSingle: (name, query, options) => documentData('GET', [name], { query, options }),
    updateSingle: (name, data, query, options) =>
      documentData('PUT', [name], { query, body: { data }, options }),
    deleteSingle: (name, query, options) => wholeBody('DELETE', [name], { query, options }),
    publishSingle: singleVersionAction('publish'),
    unpublishSingle: singleVersionAction('unpublish'),
    discardSingle: singleVersionAction('discard'),
    upload: (files, info, options) =>
      wholeBody('POST', ['upload'], { form: uploadForm(files, info), options }),
    subscribe: (chosen = {}) => subscribe(options, chosen),
    about: (result) => abouts.get(result) ?? { omitted: [] },
  }
}

function uploadForm(files: Blob | readonly Blob[], info: FileInfo | readonly FileInfo[] = []): FormData {
  const form = new FormData()
  const infos = Array.isArray(info) ? info : [info]
  if (infos.length > 0) form.append('fileInfo', JSON.stringify(infos))
  for (const file of files instanceof Blob ? [files] : files) form.append('files', file)
  return form
}
