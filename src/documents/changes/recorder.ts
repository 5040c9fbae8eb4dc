/** Collects the records of one write and gives them to the sinks. The only code that makes change records. */
import { type ContentType, FILE } from '../../model/model.ts'
import type { Principal } from '../../query/scope.ts'
import type { MaybePromise } from '../../store/maybe-promise.ts'
import type { Transaction } from '../../store/store.ts'
import type { Layout } from '../../store/tables/layout.ts'
import type { DocumentAction } from '../contract.ts'
import type { EdgeRow } from '../rows/edge-rows.ts'
import { type Versions, versionOf } from '../versions/version.ts'
import {
  actionsBetween,
  type ChangeAction,
  type ChangeRecord,
  type ChangeSink,
  type VersionChange,
} from './change-record.ts'
import type { Origin } from './origin.ts'

/** A version of a document that the write is not about itself. */
export interface RelatedVersion {
  readonly documentId: string
  /** '' on types that are not localized. */
  readonly locale: string
  readonly published: boolean
}

/** The states of a document around a write. */
export interface SavedDocument {
  readonly type: ContentType
  readonly documentId: string
  /** The requested action, and the locale that it was requested for; other locales change through shared values. */
  readonly action: DocumentAction
  readonly locale: string
  readonly before: Versions
  readonly after: Versions
  readonly incoming?: readonly EdgeRow[]
  readonly at: string
}

const NO_EDGES: readonly EdgeRow[] = []

export class ChangeRecorder {
  readonly #sinks: readonly ChangeSink[]
  readonly #layout: Layout
  readonly #by: Principal
  readonly #origin: Origin | null
  readonly #records: ChangeRecord[] = []
  #at = ''

  constructor(sinks: readonly ChangeSink[], layout: Layout, by: Principal, origin: Origin | null) {
    this.#sinks = sinks
    this.#layout = layout
    this.#by = by
    this.#origin = origin
  }

  /** Whether the versions of a type must be recorded with all their edges. */
  needsEdges(type: ContentType): boolean {
    return this.#sinks.some((sink) => sink.needsEdges?.(type))
  }

  /** Adds what changed in the document that the write is about. */
  addSaved({ type, documentId, action, locale, before, after, incoming = NO_EDGES, at }: SavedDocument) {
    this.#at = at
    for (const one of localesOf(locale, before, after)) {
      const versions = {
        before: { draft: versionOf(before, one, false), published: versionOf(before, one, true) },
        after: { draft: versionOf(after, one, false), published: versionOf(after, one, true) },
      }
      const performed = one === locale || action === 'delete' ? action : 'update'
      for (const done of actionsBetween(type, versions, performed)) {
        const published =
          isPublishing(type, done) || (done === 'delete' && versions.before.published !== null)
        this.#add(type, done, { documentId, locale: one, published }, versions, incoming)
      }
    }
  }

  /** Adds versions of other documents that gained or lost an edge. */
  addRelated(type: ContentType, related: readonly RelatedVersion[]) {
    if (related.length === 0) return
    // A document that a write changes in several ways has one record for each action.
    const known = new Set(this.#records.map(keyOf))
    for (const version of related) {
      const action = version.published && type.draftAndPublish ? 'publish' : 'update'
      const key = keyOf({ ...version, action })
      if (!known.has(key)) this.#add(type, action, version)
      known.add(key)
    }
  }

  /** Adds versions that an import has inserted, or deleted to replace them. */
  addImported(type: ContentType, action: 'create' | 'delete', rows: readonly RelatedVersion[], at: string) {
    this.#at = at
    for (const row of rows) {
      const isPublish = action === 'create' && row.published && type.draftAndPublish
      this.#add(type, isPublish ? 'publish' : action, row)
    }
  }

  /** Gives the records to the sinks. Called once, before the result of the write is read. */
  write(transaction: Transaction): MaybePromise<void> {
    if (this.#records.length === 0) return
    let pending: Promise<void> | null = null
    for (const sink of this.#sinks) {
      if (pending) pending = pending.then(() => sink.record(transaction, this.#records))
      else pending = sink.record(transaction, this.#records) ?? null
    }
    return pending ?? undefined
  }

  #add(
    type: ContentType,
    action: DocumentAction,
    { documentId, locale, published }: RelatedVersion,
    versions: VersionChange | null = null,
    incoming: readonly EdgeRow[] = NO_EDGES,
  ) {
    const named: ChangeAction = action === 'create' && type.uid === FILE ? 'upload' : action
    this.#records.push({
      action: named,
      type,
      layout: this.#layout,
      documentId,
      locale,
      published,
      versions,
      incoming,
      by: this.#by,
      origin: this.#origin,
      at: this.#at,
    })
  }
}

const keyOf = ({ documentId, locale, action }: Pick<ChangeRecord, 'documentId' | 'locale' | 'action'>) =>
  `${documentId} ${locale} ${action}`

/** The locales that may have changed, that of the request first. */
function localesOf(locale: string, before: Versions, after: Versions): Iterable<string> {
  const isOther = (version: { readonly locale: string }) => version.locale !== locale
  if (!before.some(isOther) && !after.some(isOther)) return [locale]
  return new Set([locale, ...[...before, ...after].map((version) => version.locale)])
}

const isPublishing = ({ draftAndPublish }: ContentType, action: DocumentAction) =>
  !draftAndPublish || action === 'publish' || action === 'unpublish'
