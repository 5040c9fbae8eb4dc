/** Schemas of the `populate` and `fields` parameters. */
import { type ContentType, componentOf } from '../../model/model.ts'
import { documentOf, type Subject } from '../../query/names.ts'
import { morphTargets } from './documents.ts'
import { builtInFields, type Drawing, type Visible } from './drawing.ts'
import { filtersSchema } from './filters.ts'
import { anyOf, boolean, closed, integer, list, type Properties, type Schema, text } from './schema.ts'

const ALL: Schema = { const: '*' }
const SORT = anyOf(text, list(text))
const COUNT: Schema = { ...boolean, description: 'The number of them instead of what they are.' }

/** The names that `fields` takes for a type. */
export const fieldNames = (d: Drawing, type: ContentType): Schema => subjectFields(d, documentOf(type))

/** What can be populated in a document of a type, by name; null when there is nothing. */
export const populateSchema = (d: Drawing, type: ContentType): Schema | null =>
  subjectPopulate(d, documentOf(type))

/** Names that can be populated in a type. */
export const populatable = (d: Drawing, subject: Subject): readonly (readonly [string, Visible])[] => {
  const localized = subject.kind === 'document' && subject.type.localized
  const localizations = localized ? d.look(subject, 'localizations') : null
  return [
    ...d.seen(subject).filter(([, found]) => found.kind !== 'field'),
    ...(localizations ? [['localizations', localizations] as const] : []),
  ]
}

const nameOf = (d: Drawing, subject: Subject) =>
  d.nameOf(subject.kind === 'document' ? subject.type.uid : subject.component.uid)

function subjectFields(d: Drawing, subject: Subject): Schema {
  return d.shared(`${nameOf(d, subject)}Field`, () => {
    const own = d.seen(subject).flatMap(([name, found]) => (found.kind === 'field' ? [name] : []))
    const builtIn = subject.kind === 'document' ? builtInFields(subject.type) : ['id', 'documentId']
    return { type: 'string', enum: [...builtIn, ...own] }
  })
}

function subjectPopulate(d: Drawing, subject: Subject): Schema | null {
  const names = populatable(d, subject)
  if (names.length === 0) return null
  return d.shared(`${nameOf(d, subject)}Populate`, () =>
    closed(Object.fromEntries(names.map(([name, found]) => [name, wishSchema(d, subject, found)]))),
  )
}

/** `true`, or an object that says what is shown. */
function wishSchema(d: Drawing, owner: Subject, found: Visible): Schema {
  switch (found.kind) {
    case 'related': {
      const filters = found.subject.kind === 'document' ? filtersSchema(d, found.subject.type) : null
      return anyOf(
        boolean,
        closed({
          ...below(d, found.subject),
          ...(filters ? { filters } : {}),
          ...(found.many ? { sort: SORT, count: COUNT, start: integer, limit: integer } : {}),
        }),
      )
    }
    case 'component':
      return anyOf(
        boolean,
        closed({ ...below(d, found.subject), ...(found.many ? { sort: SORT, count: COUNT } : {}) }),
      )
    case 'zone': {
      const entries = found.components.map((uid) => {
        const subject: Subject = { kind: 'entry', type: owner.type, component: componentOf(d.model, uid) }
        return [uid, anyOf(boolean, closed(below(d, subject)))] as const
      })
      return anyOf(boolean, closed({ populate: ALL, on: closed(Object.fromEntries(entries)), count: COUNT }))
    }
    case 'morph': {
      const types = morphTargets(d).map((type) => {
        const options = { ...below(d, documentOf(type)), filters: filtersSchema(d, type) }
        return [type.uid, anyOf(boolean, closed(options))] as const
      })
      return anyOf(boolean, closed({ populate: ALL, on: closed(Object.fromEntries(types)) }))
    }
    case 'field':
      return boolean
  }
}

function below(d: Drawing, subject: Subject): Properties {
  const nested = subjectPopulate(d, subject)
  const field = subjectFields(d, subject)
  return {
    fields: anyOf(field, list(field)),
    ...(nested ? { populate: anyOf(ALL, text, list(text), nested) } : {}),
  }
}
