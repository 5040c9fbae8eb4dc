/** What every operation on a document needs to know: for whom, where, when, and in which locale and status. */
import { errors } from '../errors.ts'
import type { Transaction } from '../store/store.ts'
import type { Layout } from '../store/tables/layout.ts'
import type { WriteTarget, Written } from './contract.ts'
import { authorOf } from './identity.ts'
import type { Locks } from './locks.ts'
import { type Blueprint, blueprintOf } from './rows/blueprint.ts'
import { loadEdges } from './rows/edge-rows.ts'
import type { Stamp } from './versions/apply-input.ts'
import type { Version, Versions } from './versions/version.ts'

export interface Setting {
  readonly target: WriteTarget
  readonly layout: Layout
  readonly now: string
  readonly locks: Locks
}

export interface Ground {
  readonly blueprint: Blueprint
  /** '' on types that are not localized. */
  readonly locale: string
  /** Whether the write leaves a published version behind: always on types without drafts. */
  readonly publishes: boolean
  readonly stamp: Stamp
  written(documentId: string, status?: 'draft' | 'published'): Written
}

/** The ground of a write to one locale; an unknown locale is refused. */
export function groundOf({ target, layout, now }: Setting): Ground {
  const { type, scope, status } = target
  const { locales } = layout.model
  const locale = type.localized ? (target.locale ?? locales.default) : ''
  if (type.localized && !locales.codes.includes(locale)) {
    throw errors.invalidParameter('locale', null, `${locale} is not one of ${locales.codes.join(', ')}`)
  }
  const publishes = status === 'published' || !type.draftAndPublish
  return {
    blueprint: blueprintOf(layout, type),
    locale,
    publishes,
    stamp: { now, author: authorOf(scope.principal) },
    written: (documentId, asked = publishes ? 'published' : 'draft') => ({
      documentId,
      locale,
      status: asked,
    }),
  }
}

/** The same ground at a moment after everything that was done to a document. */
export function laterThan(ground: Ground, versions: Versions): Ground {
  const now = momentAfter(versions, ground.stamp.now)
  return now === ground.stamp.now ? ground : { ...ground, stamp: { ...ground.stamp, now } }
}

/**
 * Now, or if need be a moment after everything that was done to a document. A draft is modified when it is later than
 * what is published, and two writes may come in one millisecond, or from a clock that was set back.
 */
export function momentAfter(versions: Versions, now: string): string {
  const last = versions.reduce((latest, { updatedAt }) => (updatedAt > latest ? updatedAt : latest), '')
  return now > last ? now : new Date(Date.parse(last) + 1).toISOString()
}

/** Refuses a write that the caller's rules do not cover. */
export async function checkAllowed(transaction: Transaction, { allowed }: WriteTarget, written: Written) {
  if (allowed && !(await allowed(transaction, written))) throw errors.forbidden()
}

/** How a version is named to those who read it. */
export const writtenOf = (
  documentId: string,
  { locale, published }: Pick<Version, 'locale' | 'published'>,
): Written => ({
  documentId,
  locale,
  status: published ? 'published' : 'draft',
})

/** The versions with their edges. */
export async function withEdges(
  transaction: Transaction,
  { type, relations }: Blueprint,
  documentId: string,
  versions: Versions | Promise<Versions>,
): Promise<Versions> {
  // Asked together with the rows: the two answers come back in one trip.
  const [rows, edges] = await Promise.all([versions, loadEdges(transaction, type, relations, documentId)])
  return rows.map((version) => ({ ...version, edges: edges.get(version.id ?? 0) ?? new Map() }))
}
