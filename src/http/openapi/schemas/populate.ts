/** Schemas of the `populate` and `fields` parameters, one level deep. */
import { type ContentType, componentOf } from '../../../model/model.ts'
import { documentOf, extraNames, type Subject } from '../../../query/find-name.ts'
import { type DocumentBuilder, entryOf, fieldsOf, type Visible } from '../document-builder.ts'
import { morphTargets } from './documents.ts'
import { nestedFilters } from './filters.ts'
import {
  anyOf,
  arrayOf,
  boolean,
  closedObject,
  integer,
  type Properties,
  type Schema,
  string,
} from './schema.ts'

const SORT = anyOf(string, arrayOf(string))
const COUNT: Schema = {
  ...boolean,
  description: 'Return the number of documents or entries instead of the documents or entries.',
}

export const fieldNames = (builder: DocumentBuilder, type: ContentType): Schema =>
  subjectFields(builder, documentOf(type))

/** Null when there is nothing to populate. */
export function populateSchema(builder: DocumentBuilder, type: ContentType): Schema | null {
  const subject = documentOf(type)
  const names = populatable(builder, subject)
  if (names.length === 0) return null
  return builder.sharedSchema(`${builder.schemaName(type.uid)}Populate`, () =>
    closedObject(
      Object.fromEntries(names.map(([name, found]) => [name, optionsSchema(builder, subject, found)])),
    ),
  )
}

export const populatable = (
  builder: DocumentBuilder,
  subject: Subject,
): readonly (readonly [string, Visible])[] => [
  ...builder.visibleAttributes(subject).filter(([, found]) => found.kind !== 'field'),
  ...extraNames(subject).flatMap((name) => {
    const found = builder.findVisible(subject, name)
    return found ? [[name, found] as const] : []
  }),
]

function subjectFields(builder: DocumentBuilder, subject: Subject): Schema {
  const uid = subject.kind === 'document' ? subject.type.uid : subject.component.uid
  return builder.sharedSchema(`${builder.schemaName(uid)}Field`, () => ({
    type: 'string',
    enum: fieldsOf(builder, subject),
  }))
}

/** `true`, or an object with options. */
function optionsSchema(builder: DocumentBuilder, owner: Subject, found: Visible): Schema {
  switch (found.kind) {
    case 'related':
    case 'component': {
      const page = found.kind === 'related' ? { start: integer, limit: integer } : {}
      const options = {
        ...nestedOptions(builder, found.subject),
        filters: nestedFilters(builder, found.subject),
        ...(found.many ? { sort: SORT, count: COUNT, ...page } : {}),
      }
      return anyOf(boolean, closedObject(options))
    }
    case 'zone': {
      const on = found.components.map((uid) => {
        const entry = entryOf(owner, componentOf(builder.model, uid))
        return [uid, anyOf(boolean, closedObject(fragmentOptions(builder, entry)))] as const
      })
      const options = { populate: { const: '*' }, on: closedObject(Object.fromEntries(on)), count: COUNT }
      return anyOf(boolean, closedObject(options))
    }
    case 'morph':
    case 'usages': {
      const on = morphTargets(builder).map((type) => [
        type.uid,
        anyOf(boolean, closedObject(fragmentOptions(builder, documentOf(type)))),
      ])
      const options = {
        populate: { const: '*' },
        on: closedObject(Object.fromEntries(on)),
        ...(found.kind === 'morph' ? { count: COUNT } : {}),
      }
      return anyOf(boolean, closedObject(options))
    }
    case 'field':
    case 'author':
      return boolean
  }
}

/** The options for the entries of one component of a zone, or the documents of one type of a polymorphic relation. */
const fragmentOptions = (builder: DocumentBuilder, subject: Subject): Properties => ({
  ...nestedOptions(builder, subject),
  filters: nestedFilters(builder, subject),
  sort: SORT,
})

function nestedOptions(builder: DocumentBuilder, subject: Subject): Properties {
  const field = subjectFields(builder, subject)
  const names = populatable(builder, subject).map(([name]) => name)
  return {
    fields: anyOf(field, arrayOf(field)),
    ...(names.length > 0 ? { populate: nestedPopulate(names) } : {}),
  }
}

const nestedPopulate = (names: readonly string[]): Schema => ({
  description: `${names.join(', ')}, or * for all of them.`,
  anyOf: [string, arrayOf(string), { type: 'object' }],
})
