/** Duplicates documents, and fills a locale of a document from another one. */
import { errors } from '../../../errors.ts'
import { isObject, type Values } from '../../../project/values.ts'
import { bodyOf, requiredStrings } from '../../request/fields.ts'
import { copyOf, populateForCopy, withUniqueValues } from './document-copy.ts'
import { type ContentCall, dataIn, performFor } from './operations.ts'

export interface Duplicate {
  readonly document: Values
  /** The attributes that differ from the original, because their values must be unique. */
  readonly changed: readonly string[]
}

/** Creates a draft with the content of a document in one locale. `overrides` replace attributes. */
export async function duplicate(
  call: ContentCall,
  documentId: string,
  locale: string | undefined,
  overrides: Values = {},
): Promise<Duplicate> {
  const { server, scope, type } = call
  const { model } = server.layout()
  if (type.kind === 'single') throw errors.application('A single type has only one document')
  const original = await readForCopy(call, documentId, locale)
  const copy = copyOf(model, scope, type, original, ({ name }) => mayWrite(call, 'create', name))
  const data = { ...withUniqueValues(type, copy, newSuffix()), ...overrides }
  const created = await performFor(call, { method: 'POST', query: draftIn(locale), data })
  return { document: dataIn(created), changed: copy.changed.filter((name) => !(name in overrides)) }
}

/** Writes the localized attributes of one locale to the draft of another. */
export async function fillLocale(call: ContentCall, documentId: string): Promise<Values> {
  const { server, scope, type, request } = call
  const { model } = server.layout()
  const text = requiredStrings(request.body, ['from', 'to'])
  if (!type.localized) throw errors.application('This content-type is not localized')
  const fields = fieldsIn(bodyOf(request.body).fields)
  const unknown = fields?.find((name) => !type.attributes.get(name)?.localized)
  if (unknown !== undefined)
    throw errors.invalidValues([{ path: ['fields'], message: `${unknown} is not a localized attribute` }])
  const source = await readForCopy(call, documentId, text('from'))
  const copy = copyOf(
    model,
    scope,
    type,
    source,
    ({ name, localized }) => localized && (fields?.includes(name) ?? true) && mayWrite(call, 'update', name),
  )
  // The same value may be used in another locale: unique values are unique per locale.
  const query = draftIn(text('to'))
  return dataIn(await performFor(call, { method: 'PUT', path: [documentId], query, data: copy.data }))
}

/** Whether the caller may write an attribute. The others are left out of copies. */
const mayWrite = ({ scope, type }: ContentCall, action: 'create' | 'update', attribute: string): boolean =>
  scope.rule(type.uid, action)?.fields?.includes(attribute) ?? true

const draftIn = (locale: string | undefined) => ({
  status: 'draft',
  ...(locale !== undefined && { locale }),
})

async function readForCopy(
  call: ContentCall,
  documentId: string,
  locale: string | undefined,
): Promise<Values> {
  const populate = populateForCopy(call.server.layout().model, call.scope, call.type)
  const query = { ...draftIn(locale), populate }
  return dataIn(await performFor(call, { method: 'GET', path: [documentId], query }))
}

function fieldsIn(fields: unknown): readonly string[] | null {
  if (fields === undefined || fields === null) return null
  if (Array.isArray(fields) && fields.every((name) => typeof name === 'string')) return fields
  throw errors.invalidValues([{ path: ['fields'], message: 'fields must be a list of attribute names' }])
}

/** The overrides in the body of a request to duplicate; absent or an object. */
export function overridesIn(body: unknown): Values {
  const { data = {} } = bodyOf(body)
  if (isObject(data)) return data
  throw errors.invalid('data must be an object of attributes that replace those of the original')
}

/** Short and unlikely to exist: copies of a copy must be unique too. */
const newSuffix = () => `copy-${Math.random().toString(36).slice(2, 7)}`
