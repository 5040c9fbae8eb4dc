/** Interfaces of content-types and components: what answers show, what bodies take, and what the client knows. */
import {
  type Attribute,
  type Component,
  type ContentType,
  componentOf,
  FILE,
  type Model,
} from '../../model/model.ts'
import { isServed } from '../../model/privacy.ts'
import { block, exportedInterface, key, listMember, member, quoted } from './print.ts'
import { sentTypes, servedTypes } from './scalars.ts'

export interface Naming {
  readonly model: Model
  nameOf(uid: string): string
}

const fieldsOf = (shape: ContentType | Component): Attribute[] =>
  [...shape.attributes.values()].filter(isServed)

/** The fields that are there without being asked for. */
export function fieldsInterface({ nameOf }: Naming, shape: ContentType | Component): string {
  const own = fieldsOf(shape).flatMap((attribute) => {
    if (attribute.kind !== 'scalar') return []
    const special = shape.uid === FILE ? FILE_FIELDS.get(attribute.name) : undefined
    return [member(attribute.name, special ?? servedTypes(attribute), '  ')]
  })
  const times =
    shape.kind === 'component'
      ? []
      : [
          '  createdAt: string',
          '  updatedAt: string',
          '  publishedAt: string',
          ...(shape.localized ? ['  locale: string'] : []),
        ]
  const sentence =
    shape.kind === 'component'
      ? `The component ${shape.uid}.`
      : `${shape.displayName}${shape.description ? `: ${shape.description}` : ''} (as it is once published).`
  return exportedInterface(nameOf(shape.uid), sentence, [
    '  id: number',
    '  documentId: string',
    ...own,
    ...times,
  ])
}

/** JSON attributes of files whose form is known. */
const FILE_FIELDS = new Map([
  ['formats', 'Record<string, FileFormat> | null'],
  ['focalPoint', '{ x: number; y: number } | null'],
  ['provider_metadata', 'Record<string, Json> | null'],
])

/** What a body may send. */
export function inputInterface(naming: Naming, shape: ContentType | Component): string {
  const own = [...shape.attributes.values()].flatMap((attribute) => sentMember(naming, attribute))
  const entry = shape.kind === 'component'
  const id = entry ? ['  /** Of an entry that is there: it keeps what is not sent. */', '  id?: number'] : []
  const what = entry ? `An entry of ${shape.uid}` : `The data of ${shape.singular}`
  return exportedInterface(`${naming.nameOf(shape.uid)}Input`, `${what} as bodies take it; null clears.`, [
    ...id,
    ...own,
  ])
}

/** Nothing for what no body may send. */
function sentMember({ nameOf }: Naming, attribute: Attribute): string[] {
  const name = `${attribute.name}?`
  const simple = (type: string | readonly string[]) => [member(name, type, '  ')]
  switch (attribute.kind) {
    case 'scalar':
      return simple(sentTypes(attribute))
    case 'media':
      return simple(attribute.multiple ? 'Reference[] | null' : 'Reference | null')
    case 'relation':
      if (attribute.target === null) return attribute.many ? simple('MorphInput') : []
      return simple(attribute.many ? 'ToManyInput' : 'ToOneInput')
    case 'component': {
      const input = `${nameOf(attribute.component)}Input`
      return simple(attribute.repeatable ? `${input}[] | null` : `${input} | null`)
    }
    case 'zone': {
      const entries = attribute.components.map(
        (uid) => `(${nameOf(uid)}Input & { __component: ${quoted(uid)} })`,
      )
      return [listMember(name, entries, '  ')]
    }
  }
}

/** What the client works out answers, filters and sorts from. */
export function typeInterface(naming: Naming, shape: ContentType | Component): string {
  const { nameOf } = naming
  const name = nameOf(shape.uid)
  const scalars = fieldsOf(shape).flatMap((attribute) =>
    attribute.kind === 'scalar' ? [`    ${attribute.name}: ${quoted(attribute.type)}`] : [],
  )
  const times =
    shape.kind === 'component'
      ? []
      : [
          ...['createdAt', 'updatedAt', 'publishedAt'].map((time) => `    ${time}: 'datetime'`),
          ...(shape.localized ? ["    locale: 'string'"] : []),
        ]
  const links = fieldsOf(shape).flatMap((attribute) => {
    const link = linkType(naming, attribute)
    return link ? [`    ${attribute.name}: ${link}`] : []
  })
  const localized = shape.kind !== 'component' && shape.localized
  const localizations = localized ? [`    localizations: { toMany: ${name}Type }`] : []
  const required = [...shape.attributes.values()]
    .filter(isRequired)
    .map((attribute) => quoted(attribute.name))
  return exportedInterface(`${name}Type`, `How the client knows ${name}.`, [
    `  fields: ${name}`,
    `  attributes: ${block(["    id: 'id'", "    documentId: 'string'", ...scalars, ...times], '  ')}`,
    `  links: ${block([...links, ...localizations], '  ')}`,
    member('required', required.length > 0 ? required : 'never', '  '),
    ...(shape.kind === 'component' ? [] : [`  input: ${name}Input`, `  drafts: ${shape.draftAndPublish}`]),
  ])
}

/** Whether a body must have it to be published. */
const isRequired = (attribute: Attribute) =>
  attribute.required &&
  !(attribute.kind === 'scalar' && (attribute.default !== undefined || attribute.generate))

function linkType({ model, nameOf }: Naming, attribute: Attribute): string | null {
  const type = (uid: string) => `${nameOf(uid)}Type`
  switch (attribute.kind) {
    case 'scalar':
      return null
    case 'media':
      return `{ ${attribute.multiple ? 'files' : 'file'}: ${type(FILE)} }`
    case 'relation':
      if (attribute.target === null) return `{ ${attribute.many ? 'morphMany' : 'morphOne'}: EveryType }`
      return `{ ${attribute.many ? 'toMany' : 'toOne'}: ${type(attribute.target)} }`
    case 'component':
      return `{ ${attribute.repeatable ? 'components' : 'component'}: ${type(attribute.component)} }`
    case 'zone': {
      const entries = attribute.components.map(
        (uid) => `        ${key(uid)}: ${type(componentOf(model, uid).uid)}`,
      )
      return `{\n      zone: ${block(entries, '      ')}\n    }`
    }
  }
}
