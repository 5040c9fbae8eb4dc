/** Schemas of the `populate` and `fields` parameters. They are drawn one level deep; `populate` itself has no end. */
import { type ContentType, componentOf } from '../../../model/model.ts'
import { documentOf, extraNames, type Subject } from '../../../query/find-name.ts'
import { type Drawing, entryOf, fieldsOf, type Visible } from '../document-builder.ts'
import { morphTargets } from './documents.ts'
import { beyond } from './filters.ts'
import { anyOf, boolean, closed, integer, list, type Properties, type Schema, text } from './schema.ts'

const SORT = anyOf(text, list(text))
const COUNT: Schema = { ...boolean, description: 'The number of them instead of what they are.' }

/** The names that `fields` takes for a type. */
export const fieldNames = (d: Drawing, type: ContentType): Schema => subjectFields(d, documentOf(type))

/** What can be populated in a document of a type, by name; null when there is nothing. */
export function populateSchema(d: Drawing, type: ContentType): Schema | null {
  const subject = documentOf(type)
  const names = populatable(d, subject)
  if (names.length === 0) return null
  return d.shared(`${d.nameOf(type.uid)}Populate`, () =>
    closed(Object.fromEntries(names.map(([name, found]) => [name, wishSchema(d, subject, found)]))),
  )
}

/** What can be populated in something, by name. */
export const populatable = (d: Drawing, subject: Subject): readonly (readonly [string, Visible])[] => [
  ...d.seen(subject).filter(([, found]) => found.kind !== 'field'),
  ...extraNames(subject).flatMap((name) => {
    const found = d.look(subject, name)
    return found ? [[name, found] as const] : []
  }),
]

function subjectFields(d: Drawing, subject: Subject): Schema {
  const uid = subject.kind === 'document' ? subject.type.uid : subject.component.uid
  return d.shared(`${d.nameOf(uid)}Field`, () => ({ type: 'string', enum: fieldsOf(d, subject) }))
}

/** `true`, or an object that says what is shown. */
function wishSchema(d: Drawing, owner: Subject, found: Visible): Schema {
  switch (found.kind) {
    case 'related':
    case 'component': {
      const page = found.kind === 'related' ? { start: integer, limit: integer } : {}
      const options = {
        ...below(d, found.subject),
        filters: beyond(d, found.subject),
        ...(found.many ? { sort: SORT, count: COUNT, ...page } : {}),
      }
      return anyOf(boolean, closed(options))
    }
    case 'zone': {
      const on = found.components.map((uid) => {
        const options = below(d, entryOf(owner, componentOf(d.model, uid)))
        return [uid, anyOf(boolean, closed(options))] as const
      })
      const wish = { populate: { const: '*' }, on: closed(Object.fromEntries(on)), count: COUNT }
      return anyOf(boolean, closed(wish))
    }
    case 'morph':
    case 'usages': {
      const on = morphTargets(d).map((type) => [type.uid, anyOf(boolean, closed(below(d, documentOf(type))))])
      return anyOf(boolean, closed({ populate: { const: '*' }, on: closed(Object.fromEntries(on)) }))
    }
    case 'field':
      return boolean
  }
}

function below(d: Drawing, subject: Subject): Properties {
  const field = subjectFields(d, subject)
  const names = populatable(d, subject).map(([name]) => name)
  return {
    fields: anyOf(field, list(field)),
    ...(names.length > 0 ? { populate: nested(names) } : {}),
  }
}

const nested = (names: readonly string[]): Schema => ({
  description: `In turn: ${names.join(', ')}, or * for all of them.`,
  anyOf: [text, list(text), { type: 'object' }],
})
