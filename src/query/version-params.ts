/** Parses the parameters that select versions: `status`, `locale`, `publicationFilter`, `hasPublishedVersion`. */
import { errors } from '../errors.ts'
import type { ContentType, Model } from '../model/model.ts'
import { type Condition, type PublicationFilter, publicationFilters } from '../plan/query-tree.ts'
import { isObject } from '../project/values.ts'
import { listOf, type ParamObject } from './params.ts'
import { parseBoolean } from './parse-boolean.ts'

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

/** These filters reveal something about drafts, also when they are applied to published versions. */
const ABOUT_DRAFTS: ReadonlySet<PublicationFilter> = new Set([
  'modified',
  'unmodified',
  'published-with-draft',
  'published-without-draft',
])

/** Conditions on the other versions of a document. */
export function parsePublication(
  params: ParamObject,
  type: ContentType,
  mayReadDrafts: boolean,
): Condition[] {
  const conditions: Condition[] = []
  const filter = params.publicationFilter
  if (filter !== undefined) {
    if (!isPublicationFilter(filter)) {
      throw errors.invalidParameter(
        'publicationFilter',
        null,
        `expected one of ${publicationFilters.join(', ')}`,
      )
    }
    if (!mayReadDrafts && ABOUT_DRAFTS.has(filter)) throw errors.forbidden()
    if (type.draftAndPublish) conditions.push({ kind: 'publication', filter })
  }
  const has = params.hasPublishedVersion
  if (has !== undefined) {
    const word = isObject(has) ? null : parseBoolean(has)
    if (word === null) throw errors.invalidParameter('hasPublishedVersion', null, 'expected true or false')
    if (type.draftAndPublish) {
      conditions.push({ kind: 'publication', filter: word ? 'has-published-version' : 'never-published' })
    }
  }
  return conditions
}

const known: ReadonlySet<unknown> = new Set(publicationFilters)
const isPublicationFilter = (value: unknown): value is PublicationFilter => known.has(value)
