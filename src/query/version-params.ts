/** Parses the parameters that select versions: `status`, `locale`, `publicationFilter`, `hasPublishedVersion`. */
import { errors } from '../errors.ts'
import type { ContentType, Model } from '../model/model.ts'
import { type Condition, type PublicationFilter, publicationFilters } from '../plan/query-tree.ts'
import { listOf, type ParamObject } from './params.ts'
import type { Scope } from './scope.ts'

export type Status = 'draft' | 'published'

/** The requested status. Types without drafts ignore an invalid one, and apply a valid one to related documents. */
export function parseStatus(params: ParamObject, type: ContentType): Status {
  const status = params.status
  if (status === 'draft' || status === 'published') return status
  if (status === undefined || status === '' || !type.draftAndPublish) return 'published'
  throw errors.invalidParameter('status', null, 'expected draft or published')
}

/** The requested locale codes, `*` for all of them, or the default locale when none is requested. */
export function parseLocale(params: ParamObject, model: Model): readonly string[] | '*' {
  const locale = params.locale ?? ''
  if (locale === '') return [model.locales.default]
  if (locale === '*') return '*'
  const codes = listOf(locale) ?? [locale]
  return codes.map((code) => {
    if (typeof code !== 'string') throw errors.invalidParameter('locale', null, 'expected a locale code')
    return code
  })
}

/** The locale of a write; null for types that are not localized. */
export function parseWriteLocale(params: ParamObject, type: ContentType, model: Model): string | null {
  if (!type.localized) return null
  const locale = params.locale ?? ''
  if (locale === '') return model.locales.default
  if (typeof locale === 'string' && model.locales.codes.includes(locale)) return locale
  const named = typeof locale === 'string' ? ` "${locale}"` : ''
  throw errors.invalidParameter(
    'locale',
    null,
    `unknown locale${named}; the locales are ${model.locales.codes.join(', ')}`,
  )
}

/** These filters reveal something about drafts, even when they are applied to published versions. */
const ABOUT_DRAFTS: ReadonlySet<PublicationFilter> = new Set([
  'modified',
  'unmodified',
  'published-with-draft',
  'published-without-draft',
])

/** The filters on the other versions of documents, which also apply to populated documents. */
export function parsePublication({
  publicationFilter: filter,
  hasPublishedVersion: has,
}: ParamObject): readonly PublicationFilter[] {
  const filters: PublicationFilter[] = []
  if (filter !== undefined) {
    if (!isPublicationFilter(filter)) {
      throw errors.invalidParameter(
        'publicationFilter',
        null,
        `expected one of ${publicationFilters.join(', ')}`,
      )
    }
    filters.push(filter)
  }
  if (has !== undefined) {
    if (!isTrue(has) && !isFalse(has))
      throw errors.invalidParameter('hasPublishedVersion', null, 'expected true or false')
    filters.push(isTrue(has) ? 'has-published-version-document' : 'never-published-document')
  }
  return filters
}

const isTrue = (value: unknown) => value === true || value === 'true'
const isFalse = (value: unknown) => value === false || value === 'false'

/** The conditions of publication filters on documents of a type; null if they reveal drafts that the caller may not read. */
export function publicationConditions(
  filters: readonly PublicationFilter[],
  type: ContentType,
  scope: Scope,
): readonly Condition[] | null {
  if (!type.draftAndPublish) return []
  if (filters.some((filter) => ABOUT_DRAFTS.has(filter)) && !scope.may(type.uid, 'readDrafts')) return null
  return filters.map((filter): Condition => ({ kind: 'publication', filter }))
}

const known: ReadonlySet<unknown> = new Set(publicationFilters)
const isPublicationFilter = (value: unknown): value is PublicationFilter => known.has(value)
