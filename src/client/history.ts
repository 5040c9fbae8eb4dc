/** The functions of the client for the history of documents. */
import type { Fields, Populate } from './populate.ts'
import type { CallOptions, ChangeOptions, CreateOptions, Method, RequestContent } from './requests.ts'
import type { Answer, Pagination, PaginationMeta, Status } from './response-types.ts'
import type { LocaleOf, Named, Schema, Shape } from './schema.ts'

/** A saved state of a document, without its content. */
export interface SavedVersion {
  readonly version: number
  readonly documentId: string
  readonly locale: string | null
  readonly action: string
  readonly status: Status
  readonly at: string
  readonly by: { readonly kind: string; readonly id?: string }
}

/** A difference between two states. */
export interface VersionChange {
  readonly path: readonly string[]
  readonly kind: 'changed' | 'added' | 'removed' | 'moved'
  readonly before?: unknown
  readonly after?: unknown
}

interface Shown<F, P> {
  readonly fields?: F
  readonly populate?: P
}

interface HistoryQuery<Locale extends string, G> {
  readonly locale?: Locale
  readonly pagination?: G
}

type None = Record<never, never>
type Collection<S extends Schema, Name extends keyof S['collections']> = Named<S['collections'], Name>
type Single<S extends Schema, Name extends keyof S['singles']> = Named<S['singles'], Name>
type Result<Of extends Shape, F, P> = Answer<Of, { fields: F; populate: P; status: Status }>

interface Page<Item, G> {
  data: Item[]
  meta: { pagination: PaginationMeta<G> }
}

/** A document as it was. `meta` lists the related documents and the attributes that no longer exist. */
interface EarlierDocument<Document> {
  data: Document
  meta: SavedVersion & {
    missing: { path: string[]; documentId: string; type: string }[]
    removed: Record<string, unknown>
  }
}

interface Comparison {
  data: VersionChange[]
  meta: { version: SavedVersion; against: SavedVersion | null }
}

interface RestoredDocument<Document> {
  data: Document
  meta: { restored: SavedVersion; notRestored: { path: string[]; message: string }[] }
}

export interface HistoryClient<Project extends Schema> {
  /** The saved states of a document, the newest first. */
  history<const G extends Pagination = None>(
    name: keyof Project['collections'] & string,
    documentId: string,
    query?: HistoryQuery<LocaleOf<Project>, G>,
    options?: CallOptions,
  ): Promise<Page<SavedVersion, G>>

  /** The document as it was, with what no longer exists in `meta`. */
  findVersion<
    Name extends keyof Project['collections'] & string,
    const F extends Fields<Collection<Project, Name>> = '*',
    const P extends Populate<Collection<Project, Name>> = None,
  >(
    name: Name,
    documentId: string,
    version: number,
    query?: Shown<F, P>,
    options?: CallOptions,
  ): Promise<EarlierDocument<Result<Collection<Project, Name>, F, P>>>

  /** What changed since the state before, or since another one. */
  compareVersions(
    name: keyof Project['collections'] & string,
    documentId: string,
    version: number,
    query?: { readonly against?: number },
    options?: CallOptions,
  ): Promise<Comparison>

  /** Makes a state the draft again, and publishes it with the status `published`. */
  restoreVersion<
    Name extends keyof Project['collections'] & string,
    const F extends Fields<Collection<Project, Name>> = '*',
    const P extends Populate<Collection<Project, Name>> = None,
  >(
    name: Name,
    documentId: string,
    version: number,
    query?: Shown<F, P> & { readonly status?: Status },
    options?: CreateOptions & ChangeOptions,
  ): Promise<RestoredDocument<Result<Collection<Project, Name>, F, P>>>

  /** Deleted documents, the latest deletion first. */
  findDeleted<
    Name extends keyof Project['collections'] & string,
    const F extends Fields<Collection<Project, Name>> = '*',
    const P extends Populate<Collection<Project, Name>> = None,
    const G extends Pagination = None,
  >(
    name: Name,
    query?: Shown<F, P> & HistoryQuery<LocaleOf<Project>, G>,
    options?: CallOptions,
  ): Promise<Page<SavedVersion & { document: Result<Collection<Project, Name>, F, P> }, G>>

  /** The saved states of the document of a single type, the newest first. */
  singleHistory<const G extends Pagination = None>(
    name: keyof Project['singles'] & string,
    query?: HistoryQuery<LocaleOf<Project>, G>,
    options?: CallOptions,
  ): Promise<Page<SavedVersion, G>>

  /** The document of a single type as it was. */
  findSingleVersion<
    Name extends keyof Project['singles'] & string,
    const F extends Fields<Single<Project, Name>> = '*',
    const P extends Populate<Single<Project, Name>> = None,
  >(
    name: Name,
    version: number,
    query?: Shown<F, P>,
    options?: CallOptions,
  ): Promise<EarlierDocument<Result<Single<Project, Name>, F, P>>>

  /** What changed in the document of a single type. */
  compareSingleVersions(
    name: keyof Project['singles'] & string,
    version: number,
    query?: { readonly against?: number },
    options?: CallOptions,
  ): Promise<Comparison>

  /** Restores a state of the document of a single type, even after it was deleted. */
  restoreSingleVersion<
    Name extends keyof Project['singles'] & string,
    const F extends Fields<Single<Project, Name>> = '*',
    const P extends Populate<Single<Project, Name>> = None,
  >(
    name: Name,
    version: number,
    query?: Shown<F, P> & { readonly status?: Status },
    options?: CreateOptions & ChangeOptions,
  ): Promise<RestoredDocument<Result<Single<Project, Name>, F, P>>>
}

/** Sends a request and returns the whole body of the response. */
type Send = <Body>(method: Method, path: readonly string[], content: RequestContent) => Promise<Body>

export function createHistoryClient<Project extends Schema>(send: Send): HistoryClient<Project> {
  const versionPath = (document: readonly string[], version: number) => [
    ...document,
    'history',
    String(version),
  ]
  return {
    history: (name, documentId, query, options) =>
      send('GET', [name, documentId, 'history'], { query, options }),
    findVersion: (name, documentId, version, query, options) =>
      send('GET', versionPath([name, documentId], version), { query, options }),
    compareVersions: (name, documentId, version, query, options) =>
      send('GET', [...versionPath([name, documentId], version), 'changes'], { query, options }),
    restoreVersion: (name, documentId, version, query, options) =>
      send('POST', [...versionPath([name, documentId], version), 'restore'], { query, options }),
    findDeleted: (name, query, options) => send('GET', [name, 'deleted'], { query, options }),
    singleHistory: (name, query, options) => send('GET', [name, 'history'], { query, options }),
    findSingleVersion: (name, version, query, options) =>
      send('GET', versionPath([name], version), { query, options }),
    compareSingleVersions: (name, version, query, options) =>
      send('GET', [...versionPath([name], version), 'changes'], { query, options }),
    restoreSingleVersion: (name, version, query, options) =>
      send('POST', [...versionPath([name], version), 'restore'], { query, options }),
  }
}
