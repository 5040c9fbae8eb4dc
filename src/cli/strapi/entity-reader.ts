/** Reads a row of Strapi as a row of this project. */
import { hash } from 'node:crypto'
import { normalizeEmail, normalizeName } from '../../access/users/accounts.ts'
import { ArchiveLine, DOCUMENT_ID, type Fields, INSTANT } from '../../documents/transfer/archive-line.ts'
import { type ArchivedRow, type RowReadOptions, readRow } from '../../documents/transfer/rows.ts'
import { fromJsonValue } from '../../documents/transfer/values.ts'
import {
  type Component,
  type ContentType,
  FILE,
  type Model,
  ROLE,
  type ScalarAttribute,
  type Shape,
  USER,
} from '../../model/model.ts'
import { scalarTypes } from '../../model/scalars/index.ts'
import { isObject } from '../../project/values.ts'
import { repeatsEmpty } from '../../store/tables/indexed.ts'
import type { Layout } from '../../store/tables/layout.ts'
import { folderPathOf } from './file-records.ts'
import type { Overview } from './overview.ts'
import { importedRoleTypes } from './permissions.ts'
import type { Omissions } from './report.ts'
import type { EntryReference, UniqueValue, VersionKey } from './scratch.ts'

export interface ReadEntity {
  readonly row: ArchivedRow
  readonly version: VersionKey
  /** Of two rows that are the same version of a document, the one with the higher rank is imported. */
  readonly rank: number
  /** Values of unique attributes, also in components; those that may be repeated and those of drafts are left out. */
  readonly uniques: readonly UniqueValue[]
}

export interface EntityReaderOptions {
  readonly layout: Layout
  readonly overview: Overview
  readonly defaultLocale: string
  readonly omissions: Omissions
  readonly relocate?: RowReadOptions['relocate']
  /** The attributes that stay empty in a component entry. */
  readonly clearedIn?: (component: string, entry: number) => readonly string[]
  /** Called for each component that links can start at, with its id in Strapi and the entry that it becomes. */
  readonly onEntry?: (component: string, id: number, reference: EntryReference) => void
}

/** Attributes that Strapi adds, and those of users and files that are not content. */
const NOT_CONTENT: ReadonlySet<string> = new Set([
  ...['id', 'documentId', 'createdAt', 'updatedAt', 'publishedAt', 'locale', 'localizations'],
  ...['createdBy', 'updatedBy', 'resetPasswordToken', 'confirmationToken', '__component'],
])

/** Entities must be read in the same order each time: the ids of component entries are counted. */
export class EntityReader {
  readonly #options: EntityReaderOptions
  readonly #model: Model
  /** Whether components have relations or files, by uid. */
  readonly #withEdges = new Map<string, boolean>()
  readonly #roleTypes: ReadonlyMap<number, string>
  #entries = 0
  /** The unique values of the row that is being read. */
  #uniques: UniqueValue[] = []

  constructor(options: EntityReaderOptions) {
    this.#options = options
    this.#roleTypes = importedRoleTypes(options.overview)
    this.#model = options.layout.model
  }

  /** The highest id of a component entry so far. */
  get highestEntry(): number {
    return this.#entries
  }

  /** Null, and counted as left out, if the row cannot be imported. `cleared` are the attributes that stay empty. */
  read(type: ContentType, id: number, data: ArchiveLine, cleared: readonly string[] = []): ReadEntity | null {
    const { omissions, layout, relocate } = this.#options
    const { documentId } = data.fields
    if (typeof documentId !== 'string' || !DOCUMENT_ID.test(documentId)) {
      omissions.add(`row of ${type.uid}`, 'it has no documentId')
      return null
    }
    this.#uniques = []
    const values = this.#values(type, data.fields, { type: type.uid, source: id })
    if (type.uid === ROLE) values.type = this.#roleTypes.get(id)
    for (const name of cleared) delete values[name]
    const times = this.#times(data.fields)
    const published = !type.draftAndPublish || times.publishedAt !== null
    const locale = this.#locale(type, data.fields.locale)
    const line = new ArchiveLine(
      { kind: 'row', type: type.uid, id, documentId, locale, published, ...times, revision: 1, values },
      `Row ${id} of ${type.uid}`,
    )
    const row = readRow(line, {
      layout,
      unknown: { add: (name) => omissions.add(name, 'the project does not have it') },
      onEntryId: () => {},
      onInvalidValue: (attribute, message) =>
        omissions.add(`value of ${attribute.name} in ${type.uid}`, `the value ${message}`),
      ...(relocate && { relocate }),
    })
    if (!row) return null
    const isDefault = data.fields.locale === null || data.fields.locale === this.#options.defaultLocale
    return {
      row,
      version: { type: type.uid, documentId, published, locale },
      // Of the rows of a type that is no longer localized, or no longer has drafts, the most visible one.
      rank: (isDefault ? 2 : 0) + (times.publishedAt === null ? 0 : 1),
      uniques: published ? [...uniqueValues(type, id, values), ...this.#uniques] : [],
    }
  }

  #values(shape: Shape, data: Fields, owner: Omit<EntryReference, 'entry'>): Record<string, unknown> {
    const values: Record<string, unknown> = {}
    // In the order of the model, so that entries get the same ids whatever the order of the source is.
    for (const [name, attribute] of shape.attributes) {
      const value = data[name]
      if (value === null || value === undefined || NOT_CONTENT.has(name)) continue
      switch (attribute.kind) {
        case 'scalar':
          values[name] = this.#scalar(shape.uid, attribute, value)
          break
        case 'component': {
          const all = Array.isArray(value) ? value : [value]
          const allowed = attribute.repeatable ? all : all.slice(0, 1)
          this.#omitted(all.length - allowed.length, `${name} of ${shape.uid}`)
          values[name] = allowed.flatMap((one) => this.#entry(attribute.component, one, owner))
          break
        }
        case 'zone':
          values[name] = (Array.isArray(value) ? value : []).flatMap((one) =>
            this.#entry(isObject(one) ? String(one.__component) : '', one, owner),
          )
      }
    }
    for (const name in data)
      if (!shape.attributes.has(name) && !NOT_CONTENT.has(name) && (data[name] ?? null) !== null)
        this.#options.omissions.add(`attribute ${name} of ${shape.uid}`, 'the project does not have it')
    return values
  }

  #omitted(count: number, at: string): void {
    if (count > 0) this.#options.omissions.add(`component in ${at}`, 'the attribute holds one', count)
  }

  #scalar(uid: string, attribute: ScalarAttribute, value: unknown): unknown {
    const { name } = attribute
    if (uid === FILE && name === 'folderPath') return folderPathOf(value, this.#options.overview.folders)
    if (uid === USER && name === 'email' && typeof value === 'string') return normalizeEmail(value)
    if (uid === USER && name === 'username' && typeof value === 'string') return normalizeName(value)
    return fittingValue(attribute, value)
  }

  #entry(uid: string, value: unknown, owner: Omit<EntryReference, 'entry'>): Fields[] {
    const component = this.#model.components.get(uid)
    if (!component || !isObject(value)) {
      this.#options.omissions.add(`component ${uid}`, 'the project does not have it')
      return []
    }
    return [this.#knownEntry(component, value, owner)]
  }

  #knownEntry(component: Component, value: Fields, owner: Omit<EntryReference, 'entry'>): Fields {
    const { uid } = component
    const entry = ++this.#entries
    const id = typeof value.id === 'number' ? value.id : 0
    if (this.#hasEdges(uid)) this.#options.onEntry?.(uid, id, { ...owner, entry })
    const values = this.#values(component, value, owner)
    for (const name of this.#options.clearedIn?.(uid, entry) ?? []) delete values[name]
    this.#uniques.push(...uniqueValues(component, entry, values))
    return { id: entry, documentId: entryDocumentId(uid, id), component: uid, values }
  }

  #hasEdges(uid: string): boolean {
    const known = this.#withEdges.get(uid)
    if (known !== undefined) return known
    const attributes = [...(this.#model.components.get(uid)?.attributes.values() ?? [])]
    const hasEdges = attributes.some(({ kind }) => kind === 'relation' || kind === 'media')
    this.#withEdges.set(uid, hasEdges)
    return hasEdges
  }

  #times(data: Fields) {
    const fallback = instant(this.#options.overview.createdAt) ?? new Date(0).toISOString()
    const createdAt = instant(data.createdAt) ?? instant(data.updatedAt) ?? fallback
    return {
      createdAt,
      updatedAt: instant(data.updatedAt) ?? createdAt,
      publishedAt: instant(data.publishedAt),
    }
  }

  #locale(type: ContentType, locale: unknown): string {
    if (!type.localized) return ''
    return typeof locale === 'string' && locale !== '' ? locale : this.#options.defaultLocale
  }
}

/** Databases hold some values in another form: booleans as numbers, numbers as text. The first that fits is used. */
function fittingValue(attribute: ScalarAttribute, value: unknown): unknown {
  const { family, isNullWhenEmpty } = scalarTypes[attribute.type]
  if (isNullWhenEmpty && value === '') return null
  if (family === 'json' || (family === 'text' && typeof value === 'string')) return value
  const forms = [value, value === 1 || value === '1', Number(value), String(value)]
  const isOtherBoolean = value !== 0 && value !== 1 && value !== '0' && value !== '1'
  const fitting = forms.find(
    (form, index) => !(index === 1 && isOtherBoolean) && fromJsonValue(attribute, form).ok,
  )
  return fitting ?? value
}

const prefixes = new Map<string, string>()

/** Components have no documentId in Strapi; this one is the same in every import. */
function entryDocumentId(uid: string, id: number): string {
  let prefix = prefixes.get(uid)
  if (prefix === undefined) {
    prefix = `c${hash('sha256', uid).slice(0, 12)}`
    prefixes.set(uid, prefix)
  }
  return prefix + id.toString(36).padStart(11, '0')
}

function instant(value: unknown): string | null {
  if (typeof value === 'string' && INSTANT.test(value)) return value
  if (typeof value !== 'string' && typeof value !== 'number') return null
  const date = new Date(value)
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}

const uniqueValues = ({ uid, attributes }: Shape, id: number, values: Fields): UniqueValue[] =>
  [...attributes.values()].flatMap((attribute) => {
    const value = values[attribute.name] ?? null
    if (attribute.kind !== 'scalar' || !attribute.unique || value === null) return []
    if (value === '' && repeatsEmpty(attribute)) return []
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return [{ shape: uid, id, attribute: attribute.name, value: text }]
  })
