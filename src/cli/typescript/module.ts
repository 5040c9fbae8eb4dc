/** The TypeScript of a whole project: every content-type and component, and the schema that the client takes. */
import { assignNames } from '../../http/openapi/schema-names.ts'
import { type Component, type ContentType, FILE, type Model, typeOf } from '../../model/model.ts'
import { MORPH_PRELUDE, PRELUDE, RESERVED } from './prelude.ts'
import { exportedInterface, key } from './print.ts'
import { fieldsInterface, inputInterface, type Naming, typeInterface } from './shape.ts'

const HEAD =
  '/** Written by `octavo types` from the schema of the project. Write it again rather than change it. */\n'

/** The text of the module. Equal models give equal text. */
export function typescriptOf(model: Model): string {
  const names = assignNames(model, RESERVED, ['Input', 'Type'])
  const naming: Naming = { model, nameOf: (uid) => names.get(uid) ?? uid }
  const endpoints = [...model.endpoints].sort(([a], [b]) => (a < b ? -1 : 1))
  const types = reachable(model)
  const components = [...model.components.values()].sort(byUid)
  const generated = types.filter((type) => type.generated)
  const morph = [...types, ...components].some(hasMorph)
  const entry = (name: string, { uid }: ContentType) => `    ${key(name)}: ${naming.nameOf(uid)}Type`
  const schema = exportedInterface('Schema', 'The project, for `createClient<Schema>` of octavo/client.', [
    section(
      'collections',
      endpoints.filter(([, { kind }]) => kind === 'collection').map((one) => entry(...one)),
    ),
    section(
      'singles',
      endpoints.filter(([, { kind }]) => kind === 'single').map((one) => entry(...one)),
    ),
    `  file: ${naming.nameOf(FILE)}Type`,
  ])
  return [
    HEAD,
    PRELUDE,
    ...(morph ? [MORPH_PRELUDE, everyType(naming, generated)] : []),
    ...types.map((type) => shapeText(naming, type)),
    ...components.map((component) => shapeText(naming, component)),
    schema,
  ].join('\n')
}

const byUid = (a: { uid: string }, b: { uid: string }) => (a.uid < b.uid ? -1 : 1)

const section = (name: string, members: readonly string[]) =>
  `  ${name}: ${members.length === 0 ? 'Record<never, never>' : `{\n${members.join('\n')}\n  }`}`

const shapeText = (naming: Naming, shape: ContentType | Component) =>
  [fieldsInterface(naming, shape), inputInterface(naming, shape), typeInterface(naming, shape)].join('\n')

const hasMorph = ({ attributes }: ContentType | Component) =>
  [...attributes.values()].some((attribute) => attribute.kind === 'relation' && attribute.target === null)

const everyType = ({ nameOf }: Naming, types: readonly ContentType[]) =>
  exportedInterface(
    'EveryType',
    'Every content-type by its uid, as polymorphic relations name them.',
    types.map(({ uid }) => `  ${key(uid)}: ${nameOf(uid)}Type`),
  )

/** The types with endpoints, files, and what they lead to: users and roles only when a relation does. */
function reachable(model: Model): ContentType[] {
  const found = new Set<ContentType>()
  const visit = (type: ContentType) => {
    if (found.has(type)) return
    found.add(type)
    for (const uid of targetsOf(model, type)) visit(typeOf(model, uid))
  }
  for (const type of model.endpoints.values()) visit(type)
  visit(typeOf(model, FILE))
  return [...found].sort(byUid)
}

function targetsOf(model: Model, { attributes }: ContentType | Component): string[] {
  return [...attributes.values()].flatMap((attribute) => {
    switch (attribute.kind) {
      case 'relation':
        return attribute.target === null ? [] : [attribute.target]
      case 'component':
        return within(model, attribute.component)
      case 'zone':
        return attribute.components.flatMap((uid) => within(model, uid))
      default:
        return []
    }
  })
}

function within(model: Model, uid: string): string[] {
  const component = model.components.get(uid)
  return component ? targetsOf(model, component) : []
}
