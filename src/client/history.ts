/** The functions of the client for the history of documents. */
import type { Fields, Populate } from './populate.ts'
import type { CallOptions, ChangeOptions, CreateOptions, Method, RequestContent } from './requests.ts'
import type { Answer, Pagination, PaginationMeta, Status } from './response-types.ts'
import type { Named, Schema, Shape } from './schema.ts'

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

type None = Record<never, never>
type Collection<S extends Schema, Name extends keyof S['collections']> = Named<S['collections'], Name>
type Result<Of extends Shape, F, P> = Answer<Of, { fields: F; populate: P; status: Status }>

export interface HistoryClient<Project extends Schema> {
  /** The saved states of a document, the newest first. */
  history<const G extends Pagination = None>(
    name: keyof Project['collections'] & string,
    documentId: string,
    query?: { readonly locale?: string; readonly pagination?: G },
    options?: CallOptions,
  ): Promise<{ data: SavedVersion[]; meta: { pagination: PaginationMeta<G> } }>

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
  ): Promise<{
    data: Result<Collection<Project, Name>, F, P>
    meta: SavedVersion & {
      missing: { path: string[]; documentId: string; type: string }[]
      removed: Record<string, unknown>
    }
  }>

  /** What changed since the state before, or since another one. */
  compareVersions(
    name: keyof Project['collections'] & string,
    documentId: string,
    version: number,
    query?: { readonly against?: number },
    options?: CallOptions,
  ): Promise<{ data: VersionChange[]; meta: { version: SavedVersion; against: SavedVersion | null } }>

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
  ): Promise<{
    data: Result<Collection<Project, Name>, F, P>
    meta: { restored: SavedVersion; notRestored: { path: string[]; message: string }[] }
  }>

  /** Deleted documents, the latest deletion first. */
  findDeleted<
    Name extends keyof Project['collections'] & string,
    const F extends Fields<Collection<Project, Name>> = '*',
    const P extends Populate<Collection<Project, Name>> = None,
    const G extends Pagination = None,
  >(
    name: Name,
    query?: Shown<F, P> & { readonly locale?: string; readonly pagination?: G },
    options?: CallOptions,
  ): Promise<{
    data: (SavedVersion & { document: Result<Collection<Project, Name>, F, P> })[]
    meta: { pagination: PaginationMeta<G> }
  }>
}

/** Sends a request and returns the whole body of the response. */
type Send = <Body>(method: Method, path: readonly string[], content: RequestContent) => Promise<Body>

export function createHistoryClient<Project extends Schema>(send: Send): HistoryClient<Project> {
  const versionPath = (name: string, documentId: string, version: number) => [
    ...[name, documentId, 'history', String(version)],
  ]
  return {
    history: (name, documentId, query, options) =>
      send('GET', [name, documentId, 'history'], { query, options }),
    findVersion: (name, documentId, version, query, options) =>
      send('GET', versionPath(name, documentId, version), { query, options }),
    compareVersions: (name, documentId, version, query, options) =>
      send('GET', [...versionPath(name, documentId, version), 'changes'], { query, options }),
    restoreVersion: (name, documentId, version, query, options) =>
      send('POST', [...versionPath(name, documentId, version), 'restore'], { query, options }),
    findDeleted: (name, query, options) => send('GET', [name, 'deleted'], { query, options }),
  }
}
