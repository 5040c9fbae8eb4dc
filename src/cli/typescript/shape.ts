/** Generates the interfaces of a content-type or component: response fields, request body, and type for the client. */
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

/** The attributes that responses contain without `populate`. */
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
  const description =
    shape.kind === 'component'
      ? `The component ${shape.uid}.`
      : `${shape.displayName}${shape.description ? `: ${shape.description}` : ''} (published version).`
  return exportedInterface(nameOf(shape.uid), description, [
    '  id: number',
    '  documentId: string',
    ...own,
    ...times,
  ])
}

/** JSON attributes of files with a fixed structure. */
const FILE_FIELDS = new Map([
  ['formats', 'Record<string, FileFormat> | null'],
  ['focalPoint', '{ x: number; y: number } | null'],
  ['provider_metadata', 'Record<string, Json> | null'],
])

/** The interface of a request body. */
export function inputInterface(naming: Naming, shape: ContentType | Component): string {
  const own = [...shape.attributes.values()].flatMap((attribute) => inputMember(naming, attribute))
  const entry = shape.kind === 'component'
  const id = entry
    ? ['  /** The id of an existing entry, which keeps the attributes that are not sent. */', '  id?: number']
    : []
  const subject = entry ? `An entry of ${shape.uid}` : `The data of ${shape.singular}`
  return exportedInterface(
    `${naming.nameOf(shape.uid)}Input`,
    `${subject} in a request body; null clears an attribute.`,
    [...id, ...own],
  )
}

/** Empty for attributes that cannot be written. */
function inputMember({ nameOf }: Naming, attribute: Attribute): string[] {
  if (attribute.writable === false) return []
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

/** The interface from which the client derives the types of responses, filters and sorts. */
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
  return exportedInterface(`${name}Type`, `${name} for the client.`, [
    `  fields: ${name}`,
    `  attributes: ${block(["    id: 'id'", "    documentId: 'string'", ...scalars, ...times], '  ')}`,
    `  links: ${block([...links, ...localizations], '  ')}`,
    member('required', required.length > 0 ? required : 'never', '  '),
    ...(shape.kind === 'component' ? [] : [`  input: ${name}Input`, `  drafts: ${shape.draftAndPublish}`]),
  ])
}

/** Whether a published document must be created with a value. */
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
