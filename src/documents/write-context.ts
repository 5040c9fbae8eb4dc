/** Everything that the steps of one write share: what was requested, the document, the transaction and what was found. */
import { errors } from '../errors.ts'
import type { Layout } from '../store/tables/layout.ts'
import { authorOf } from './author.ts'
import type { ChangeSink } from './changes/change-record.ts'
import { ChangeRecorder } from './changes/recorder.ts'
import type { WriteRequest, Written } from './contract.ts'
import { Problems } from './input/problems.ts'
import { type HiddenTargets, NO_TARGETS, NONE_HIDDEN, type Targets } from './relations/targets.ts'
import { type Blueprint, blueprintOf } from './rows/blueprint.ts'
import type { Attempt } from './run-write.ts'
import type { Stamp, Version, Versions } from './versions/version.ts'

export interface WriteContext extends Attempt {
  readonly request: WriteRequest
  readonly documentId: string
  readonly layout: Layout
  readonly blueprint: Blueprint
  /** '' on types that are not localized. */
  readonly locale: string
  /** Whether the write leaves a published version behind: always on types without drafts. */
  readonly publishes: boolean
  readonly stamp: Stamp
  readonly problems: Problems
  /** The documents that the body names. */
  readonly targets: Targets
  /** Related documents that the caller may not see, in the relations that the body replaces. */
  readonly hidden: HiddenTargets
  /** Records what the write changes; null when no sink is enabled. */
  readonly changes: ChangeRecorder | null
  /** The next of the ids that were reserved for new component entries. */
  readonly nextEntryId: () => number
}

/** What a write needs besides its attempt and its request; the same for all writes under one model. */
export interface WriteEnvironment {
  readonly layout: Layout
  readonly now: string
  readonly sinks: readonly ChangeSink[]
}

export function createContext(
  attempt: Attempt,
  request: WriteRequest,
  documentId: string,
  { layout, now, sinks }: WriteEnvironment,
): WriteContext {
  const { type, scope, status, origin = null } = request
  return {
    ...attempt,
    request,
    documentId,
    layout,
    blueprint: blueprintOf(layout, type),
    locale: type.localized ? (request.locale ?? layout.model.locales.default) : '',
    publishes: status === 'published' || !type.draftAndPublish,
    stamp: { now, author: authorOf(scope.principal) },
    problems: new Problems(),
    targets: NO_TARGETS,
    hidden: NONE_HIDDEN,
    changes: sinks.length === 0 ? null : new ChangeRecorder(sinks, layout, scope.principal, origin),
    nextEntryId: noEntryIds,
  }
}

const noEntryIds = () => {
  throw new Error('No entry ids are reserved')
}

export function refuseUnknownLocale({ blueprint: { type, model }, locale }: WriteContext) {
  const { codes } = model.locales
  if (type.localized && !codes.includes(locale))
    throw errors.invalidParameter('locale', null, `${locale} is not one of ${codes.join(', ')}`)
}

/** The context with a time after every earlier change of the document. */
export function stampedAfter(context: WriteContext, versions: Versions): WriteContext {
  const now = timeAfter(versions, context.stamp.now)
  return now === context.stamp.now ? context : { ...context, stamp: { ...context.stamp, now } }
}

/**
 * Now, or a millisecond after the last change of the document. A draft counts as modified when it is later than the
 * published version, but two writes can fall into one millisecond, and a clock can be set back.
 */
export function timeAfter(versions: Versions, now: string): string {
  const last = versions.reduce((latest, { updatedAt }) => (updatedAt > latest ? updatedAt : latest), '')
  return now > last ? now : new Date(Date.parse(last) + 1).toISOString()
}

/** The version that the write leaves behind. */
export const writtenBy = (
  { documentId, locale, publishes }: WriteContext,
  status: 'draft' | 'published' = publishes ? 'published' : 'draft',
): Written => ({ documentId, locale, status })

export const writtenOf = (
  documentId: string,
  { locale, published }: Pick<Version, 'locale' | 'published'>,
): Written => ({ documentId, locale, status: published ? 'published' : 'draft' })
