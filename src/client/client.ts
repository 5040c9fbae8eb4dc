/** The client: one function for each thing to do with documents, typed by the schema of a project. */
import type { Answer, Pagination, PaginationMeta, Status } from './answer.ts'
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
import type { DocumentShape, Named, Schema, Shape } from './schema.ts'

/** What any document can be asked with. `F`, `P` and `S` are inferred, and decide what the answer shows. */
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
  /** A text to look for in the text fields. */
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

/** What a new document needs: everything required, unless it is only a draft. */
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
type Seen<Of extends Shape, F, P, S> = Answer<Of, { fields: F; populate: P; status: S }>

/** An action on the versions of a document, which shows the one of a status. */
type DocumentAction<Project extends Schema, S extends Status> = <
  Name extends keyof Project['collections'] & string,
  const F extends Fields<Collection<Project, Name>> = '*',
  const P extends Populate<Collection<Project, Name>> = None,
>(
  name: Name,
  documentId: string,
  query?: Omit<OneQuery<Collection<Project, Name>, F, P, never>, 'status'>,
  options?: CreateOptions & ChangeOptions,
) => Promise<Seen<Collection<Project, Name>, F, P, S>>

/** The same on the document of a single type. */
type SingleAction<Project extends Schema, S extends Status> = <
  Name extends keyof Project['singles'] & string,
  const F extends Fields<Single<Project, Name>> = '*',
  const P extends Populate<Single<Project, Name>> = None,
>(
  name: Name,
  query?: Omit<OneQuery<Single<Project, Name>, F, P, never>, 'status'>,
  options?: CreateOptions & ChangeOptions,
) => Promise<Seen<Single<Project, Name>, F, P, S>>

export interface Client<Project extends Schema> {
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
    data: Seen<Collection<Project, Name>, F, P, S>[]
    meta: { pagination: PaginationMeta<G> }
  }>

  /** One document; throws an OctavoError of the kind `NotFoundError` when it is not there. */
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
  ): Promise<Seen<Collection<Project, Name>, F, P, S>>

  /** Makes a document, and publishes it unless the status is `draft`. The answer carries no numeric id. */
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
  ): Promise<Omit<Seen<Collection<Project, Name>, F, P, S>, 'id'>>

  /** Changes what is sent and keeps the rest; null clears. */
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
  ): Promise<Seen<Collection<Project, Name>, F, P, S>>

  /** Deletes one locale of a document, the default one unless another is named; `*` deletes all of it. */
  delete(
    name: keyof Project['collections'] & string,
    documentId: string,
    query?: { readonly locale?: string },
    options?: ChangeOptions,
  ): Promise<void>

  /** Makes the draft the published version. */
  publish: DocumentAction<Project, 'published'>

  /** Takes the published version away and shows the draft. */
  unpublish: DocumentAction<Project, 'draft'>

  /** Makes the draft the same as the published version, and shows it. */
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
  ): Promise<Seen<Single<Project, Name>, F, P, S>>

  /** Changes the document of a single type, or makes it. */
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
  ): Promise<Seen<Single<Project, Name>, F, P, S>>

  deleteSingle(
    name: keyof Project['singles'] & string,
    query?: { readonly locale?: string },
    options?: ChangeOptions,
  ): Promise<void>

  /** Makes the draft of a single type the published version. */
  publishSingle: SingleAction<Project, 'published'>

  /** Takes the published version of a single type away and shows the draft. */
  unpublishSingle: SingleAction<Project, 'draft'>

  /** Makes the draft of a single type the same as the published version, and shows it. */
  discardSingle: SingleAction<Project, 'draft'>

  /** Uploads files; what is known about them goes along in the same order. */
  upload(
    files: Blob | readonly Blob[],
    info?: FileInfo | readonly FileInfo[],
    options?: CallOptions,
  ): Promise<Answer<Project['file']>[]>

  /** What the server said beside an answer: of the very object that a call of this client has given, not of a copy. */
  about(answer: object): About
}

interface Envelope<Data> {
  readonly data: Data
}

/** A client of a server, for the project whose schema `octavo types` wrote. */
export function createClient<Project extends Schema>(options: ClientOptions): Client<Project> {
  const request = createRequest(options)
  const abouts = new WeakMap<object, About>()
  function noted<Result>(result: Result, about: About): Result {
    if (typeof result === 'object' && result !== null) abouts.set(result, about)
    return result
  }
  const whole = async <Result>(...call: Parameters<typeof request>): Promise<Result> => {
    const { body, about } = await request<Result>(...call)
    return noted(body, about)
  }
  const document = async <Result>(...call: Parameters<typeof request>): Promise<Result> => {
    const { body, about } = await request<Envelope<Result>>(...call)
    return noted(body.data, about)
  }

  type Action = 'publish' | 'unpublish' | 'discard'
  const act =
    <S extends Status>(action: Action): DocumentAction<Project, S> =>
    (name, documentId, query, options) =>
      document('POST', [name, documentId, 'actions', action], { query, options })
  const actSingle =
    <S extends Status>(action: Action): SingleAction<Project, S> =>
    (name, query, options) =>
      document('POST', [name, 'actions', action], { query, options })

  return {
    find: (name, query, options) => whole('GET', [name], { query, options }),
    findOne: (name, documentId, query, options) => document('GET', [name, documentId], { query, options }),
    create: (name, data, query, options) => document('POST', [name], { query, body: { data }, options }),
    update: (name, documentId, data, query, options) =>
      document('PUT', [name, documentId], { query, body: { data }, options }),
    delete: (name, documentId, query, options) => whole('DELETE', [name, documentId], { query, options }),
    publish: act('publish'),
    unpublish: act('unpublish'),
    discard: act('discard'),
    findSingle: (name, query, options) => document('GET', [name], { query, options }),
    updateSingle: (name, data, query, options) => document('PUT', [name], { query, body: { data }, options }),
    deleteSingle: (name, query, options) => whole('DELETE', [name], { query, options }),
    publishSingle: actSingle('publish'),
    unpublishSingle: actSingle('unpublish'),
    discardSingle: actSingle('discard'),
    upload: (files, info, options) => whole('POST', ['upload'], { form: uploadForm(files, info), options }),
    about: (answer) => abouts.get(answer) ?? { omitted: [] },
  }
}

function uploadForm(files: Blob | readonly Blob[], info: FileInfo | readonly FileInfo[] = []): FormData {
  const form = new FormData()
  const infos = Array.isArray(info) ? info : [info]
  if (infos.length > 0) form.append('fileInfo', JSON.stringify(infos))
  for (const file of files instanceof Blob ? [files] : files) form.append('files', file)
  return form
}
