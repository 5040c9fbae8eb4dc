/** Parses the view of a content-type, the navigation and saved views in request bodies. Pure. */
import {
  isPlaceholder,
  isSort,
  PREVIEW_PLACEHOLDERS,
  placeholdersOf,
  type StoredTypeView,
  SYSTEM_COLUMNS,
  WIDTHS,
} from '../../../access/team/type-view.ts'
import type { Navigation, SavedViewChanges } from '../../../access/team/views.ts'
import { errors, type FieldProblem } from '../../../errors.ts'
import type { ContentType, Model } from '../../../model/model.ts'
import { isServed } from '../../../model/privacy.ts'
import { didYouMean, nearest } from '../../../project/suggest.ts'
import { isObject, type Values } from '../../../project/values.ts'

const VIEW_KEYS = [
  ...['label', 'icon', 'mainField', 'columns', 'pageSize', 'defaultSort', 'previewUrl', 'fields'],
]
const FIELD_KEYS = ['name', 'label', 'help', 'placeholder', 'width', 'hidden']
const MAX_TEXT = 500
const MAX_QUERY = 4_000

type Check = (value: unknown) => string | null

const text: Check = (value) =>
  typeof value === 'string' && value.length <= MAX_TEXT
    ? null
    : `must be a string of at most ${MAX_TEXT} characters`
const flag: Check = (value) => (typeof value === 'boolean' ? null : 'must be true or false')

/** The view with the changes of a body. A value of null goes back to the default. */
export function parseTypeView(type: ContentType, stored: StoredTypeView, body: Values): StoredTypeView {
  checkKeys(body, VIEW_KEYS, null)
  const column = nameOf(type, (name) => name in SYSTEM_COLUMNS || type.attributes.has(name))
  const mainField = nameOf(type, (name) => {
    const attribute = type.attributes.get(name)
    return name === 'documentId' || (attribute?.kind === 'scalar' && isServed(attribute))
  })
  const checks: Readonly<Record<string, Check>> = {
    label: text,
    icon: text,
    mainField,
    columns: listOf(column),
    pageSize: (value) =>
      Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 100
        ? null
        : 'must be an integer from 1 to 100',
    defaultSort: (value) =>
      typeof value === 'string' && isSort(type, value)
        ? null
        : 'must be an attribute and an order, such as title:asc',
    previewUrl: previewUrlOf(type),
    fields: () => null,
  }
  const given = Object.entries(body).filter(([, value]) => value !== null)
  const problems = [
    ...given.flatMap(([key, value]) => problemOf([key], checks[key]?.(value) ?? null)),
    ...fieldProblems(type, body.fields ?? []),
  ]
  if (problems.length > 0) throw errors.invalidValues(problems)
  const kept = Object.entries(stored).filter(([key]) => !(key in body))
  return Object.fromEntries([...kept, ...given])
}

const MAX_ADDRESS = 2_000

const previewUrlOf =
  (type: ContentType): Check =>
  (value) => {
    if (typeof value !== 'string' || !isWebAddress(value) || value.length > MAX_ADDRESS)
      return 'must be an address that starts with https://, http:// or /'
    const unknown = placeholdersOf(value).find((name) => !isPlaceholder(type, name))
    if (unknown === undefined) return null
    const known = [...PREVIEW_PLACEHOLDERS, ...type.attributes.keys()].filter((name) =>
      isPlaceholder(type, name),
    )
    return `has the unknown placeholder {${unknown}}${didYouMean(unknown, known)}`
  }

/** Placeholders can be anywhere but in the host, which decides who sees the drafts. */
function isWebAddress(value: string): boolean {
  if (/^\/(?![/\\])/.test(value)) return true
  const [, host = ''] = /^https?:\/\/([^/?#]*)/.exec(value) ?? []
  return host !== '' && !/[{}\s]/.test(host) && URL.canParse(`http://${host}`)
}

function fieldProblems(type: ContentType, fields: unknown): FieldProblem[] {
  if (!Array.isArray(fields)) return problemOf(['fields'], 'must be a list of fields')
  const attribute = nameOf(type, (name) => type.attributes.has(name))
  const checks: Readonly<Record<string, Check>> = {
    name: attribute,
    label: text,
    help: (value) => (value === null ? null : text(value)),
    placeholder: (value) => (value === null ? null : text(value)),
    width: (value) =>
      WIDTHS.some((width) => width === value) ? null : `must be one of ${WIDTHS.join(', ')}`,
    hidden: flag,
  }
  const names = fields.map((field: unknown) => (isObject(field) ? field.name : null))
  return fields.flatMap((field: unknown, index) => {
    const at = ['fields', String(index)]
    if (!isObject(field)) return problemOf(at, 'must be an object with the name of an attribute')
    checkKeys(field, FIELD_KEYS, at.join('.'))
    if (names.indexOf(field.name) !== index) return problemOf([...at, 'name'], 'occurs more than once')
    return [
      ...('name' in field ? [] : problemOf([...at, 'name'], 'is required')),
      ...Object.entries(field).flatMap(([key, value]) =>
        problemOf([...at, key], checks[key]?.(value) ?? null),
      ),
    ]
  })
}

export function parseNavigation(model: Model, body: Values): Navigation {
  checkKeys(body, ['groups'], null)
  const { groups } = body
  const invalid = (message: string) =>
    errors.invalidValues([{ path: ['groups'], message: `groups ${message}` }])
  if (!Array.isArray(groups)) throw invalid('must be a list')
  const parsed = groups.map((group: unknown) => {
    if (!isObject(group) || text(group.name) !== null || !Array.isArray(group.types))
      throw invalid('must have a name and a list of types each')
    const types = group.types.map(String)
    const unknown = types.find((uid) => !model.types.has(uid))
    if (unknown !== undefined)
      throw invalid(`name the unknown content-type ${unknown}${didYouMean(unknown, model.types.keys())}`)
    return { name: String(group.name), types }
  })
  const all = parsed.flatMap(({ types }) => types)
  const repeated = all.find((uid, index) => all.indexOf(uid) !== index)
  if (repeated !== undefined) throw invalid(`name ${repeated} more than once`)
  return { groups: parsed }
}

/** What a body changes of a saved view. */
export function parseSavedView(body: Values): SavedViewChanges {
  const { name, query, shared } = body
  const isQuery = typeof query === 'string' && query.length <= MAX_QUERY
  const problems = [
    ...(name === undefined ? [] : problemOf(['name'], name === '' ? 'is required' : text(name))),
    ...(query === undefined || isQuery
      ? []
      : problemOf(['query'], `must be a string of at most ${MAX_QUERY} characters`)),
    ...(shared === undefined ? [] : problemOf(['shared'], flag(shared))),
  ]
  if (problems.length > 0) throw errors.invalidValues(problems)
  return {
    ...(typeof name === 'string' && { name }),
    ...(typeof query === 'string' && { query }),
    ...(typeof shared === 'boolean' && { shared }),
  }
}

const problemOf = (path: readonly string[], message: string | null): FieldProblem[] =>
  message === null ? [] : [{ path, message: `${path.join('.')} ${message}` }]

const nameOf =
  (type: ContentType, isKnown: (name: string) => boolean): Check =>
  (value) =>
    typeof value === 'string' && isKnown(value)
      ? null
      : `must be an attribute of ${type.displayName}${didYouMean(String(value), type.attributes.keys())}`

const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) ? (value.map(check).find((problem) => problem !== null) ?? null) : 'must be a list'

function checkKeys(values: Values, known: readonly string[], path: string | null): void {
  const key = Object.keys(values).find((one) => !known.includes(one))
  if (key !== undefined) throw errors.invalidKey({ key, path, source: 'body', meant: nearest(key, known) })
}
