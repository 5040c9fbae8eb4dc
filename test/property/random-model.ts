/** Random small models: a few content-types with attributes and relations of every kind, and components. */
import fc from 'fast-check'
import type { ScalarTypeName } from '../../src/model/model.ts'

export const LOCALES = ['en', 'fr'] as const
export const DEFAULT_LOCALE = 'en'

export type RandomAttribute =
  | {
      readonly kind: 'scalar'
      readonly type: ScalarTypeName
      readonly localized: boolean
      readonly private: boolean
    }
  | {
      readonly kind: 'relation'
      readonly relation: string
      readonly many: boolean
      /** Null when polymorphic. */
      readonly target: string | null
      /** On an inverse side, the attribute of the target that owns the relation. */
      readonly inverseOf: string | null
      /** On an owner, its inverse. */
      readonly inverse: string | null
      /** Whether a target has at most one owner. */
      readonly exclusive: boolean
    }
  | {
      readonly kind: 'component'
      readonly component: string
      readonly repeatable: boolean
      readonly localized: boolean
    }
  | { readonly kind: 'zone'; readonly components: readonly string[]; readonly localized: boolean }

export interface RandomShape {
  readonly name: string
  readonly attributes: Readonly<Record<string, RandomAttribute>>
}

export interface RandomType extends RandomShape {
  readonly single: boolean
  readonly drafts: boolean
  readonly localized: boolean
}

export interface RandomModel {
  readonly types: readonly RandomType[]
  readonly components: readonly RandomShape[]
}

/** One scalar attribute of each type, under a name that tells it. */
const SCALARS: Readonly<Record<string, ScalarTypeName>> = {
  word: 'string',
  prose: 'text',
  story: 'richtext',
  mail: 'email',
  slug: 'uid',
  number: 'integer',
  big: 'biginteger',
  ratio: 'float',
  price: 'decimal',
  flag: 'boolean',
  day: 'date',
  hour: 'time',
  moment: 'datetime',
  choice: 'enumeration',
  extra: 'json',
  body: 'blocks',
  hidden: 'string',
  secret: 'password',
}
export const CHOICES = ['one', 'Two', 'three']

const scalarsOf = (maxLength: number) =>
  fc
    .subarray(Object.keys(SCALARS), { minLength: 1, maxLength })
    .chain((names) =>
      fc.tuple(
        ...names.map((name) => fc.boolean().map((localized) => [name, scalar(name, localized)] as const)),
      ),
    )
    .map((pairs): Record<string, RandomAttribute> => Object.fromEntries(pairs))

const scalar = (name: string, localized: boolean): RandomAttribute => ({
  kind: 'scalar',
  type: SCALARS[name] ?? 'string',
  localized,
  private: name === 'hidden',
})

const COMPONENTS = ['part.leaf', 'part.twig', 'part.branch']
const TYPES = ['atlas', 'beacon', 'cedar', 'dune']

/** A type's own outline; its relations come later, when all types are known. */
const typeOutline = (name: string, components: readonly string[]) =>
  fc.record({
    single: fc.constant(name === 'dune'),
    name: fc.constant(name),
    drafts: fc.boolean(),
    localized: fc.boolean(),
    scalars: scalarsOf(8),
    embedded: embeddedIn(components),
  })

/** Components and zones of a type or of a component. */
const embeddedIn = (components: readonly string[]): fc.Arbitrary<Record<string, RandomAttribute>> => {
  if (components.length === 0) return fc.constant({})
  const component = (repeatable: boolean) =>
    fc.record({
      kind: fc.constant('component' as const),
      component: fc.constantFrom(...components),
      repeatable: fc.constant(repeatable),
      localized: fc.boolean(),
    })
  const zone = fc.record({
    kind: fc.constant('zone' as const),
    components: fc.subarray([...components], { minLength: 1 }),
    localized: fc.boolean(),
  })
  return fc
    .record({ box: component(false), list: component(true), zone }, { requiredKeys: [] })
    .map((attributes) =>
      Object.fromEntries(Object.entries(attributes).filter(([, attribute]) => attribute !== undefined)),
    )
}

const KINDS = [
  'oneWayToOne',
  'oneToOne',
  'oneWayManyToOne',
  'manyToOne',
  'oneWayToMany',
  'manyToMany',
  'oneWayManyToMany',
  'morphToMany',
] as const

interface RelationPlan {
  readonly kind: (typeof KINDS)[number]
  readonly from: number
  readonly to: number
}

/** The attributes that a planned relation gives to its two ends. */
function ends({ kind }: RelationPlan, index: number, from: string, to: string) {
  const [owner, inverse] = [`r${index}`, `i${index}`]
  const twoWay =
    kind === 'oneToOne' || kind === 'manyToOne' || kind === 'manyToMany' || kind === 'morphToMany'
  const relation = {
    oneWayToOne: 'oneToOne',
    oneWayManyToOne: 'manyToOne',
    oneWayToMany: 'oneToMany',
    oneWayManyToMany: 'manyToMany',
    oneToOne: 'oneToOne',
    manyToOne: 'manyToOne',
    manyToMany: 'manyToMany',
    morphToMany: 'morphToMany',
  }[kind]
  const backwards = {
    oneToOne: 'oneToOne',
    manyToOne: 'oneToMany',
    manyToMany: 'manyToMany',
    morphToMany: 'morphMany',
  }
  const ownerEnd: RandomAttribute = {
    kind: 'relation',
    relation,
    many: relation.endsWith('Many'),
    target: kind === 'morphToMany' ? null : to,
    inverseOf: null,
    inverse: twoWay ? inverse : null,
    exclusive: kind === 'oneToOne',
  }
  const inverseEnd: RandomAttribute | null = !twoWay
    ? null
    : {
        kind: 'relation',
        relation: backwards[kind],
        many: kind !== 'oneToOne',
        target: from,
        inverseOf: owner,
        inverse: null,
        exclusive: false,
      }
  return { owner: [owner, ownerEnd] as const, inverse: inverseEnd && ([inverse, inverseEnd] as const) }
}

/** Components may hold the components before them, and one-way relations. */
const componentArbitrary = (name: string, earlier: readonly string[]): fc.Arbitrary<RandomShape> =>
  fc
    .record({
      scalars: scalarsOf(4),
      embedded: embeddedIn(earlier),
      target: fc.option(fc.constantFrom(...TYPES.slice(0, 2)), { freq: 2 }),
      many: fc.boolean(),
    })
    .map(({ scalars: { secret: _, ...scalars }, embedded: { zone: __, ...embedded }, target, many }) => ({
      name,
      attributes: {
        ...scalars,
        word: scalar('word', false),
        ...embedded,
        ...(target === null ? {} : { link: linkTo(target, many) }),
      },
    }))

const linkTo = (target: string, many: boolean): RandomAttribute => ({
  kind: 'relation',
  relation: many ? 'oneToMany' : 'oneToOne',
  many,
  target,
  inverseOf: null,
  inverse: null,
  exclusive: false,
})

export const modelArbitrary: fc.Arbitrary<RandomModel> = fc
  .record({
    components: fc
      .integer({ min: 0, max: COMPONENTS.length })
      .chain((count) =>
        fc.tuple(
          ...COMPONENTS.slice(0, count).map((name, index) =>
            componentArbitrary(name, COMPONENTS.slice(0, index)),
          ),
        ),
      ),
    names: fc
      .subarray(TYPES, { minLength: 2 })
      .map((names) => [...new Set([...TYPES.slice(0, 2), ...names])]),
  })
  .chain(({ components, names }) =>
    fc.record({
      components: fc.constant(components),
      types: fc.tuple(
        ...names.map((name) =>
          typeOutline(
            name,
            components.map((component) => component.name),
          ),
        ),
      ),
      relations: fc.array(
        fc.record({
          kind: fc.constantFrom(...KINDS),
          from: fc.nat(names.length - 1),
          to: fc.nat(names.length - 1),
        }),
        { minLength: 1, maxLength: 6 },
      ),
    }),
  )
  .map(({ components, types, relations }) => {
    const attributes = new Map(
      types.map(({ name, scalars, embedded }) => [name, { ...scalars, ...embedded }] as const),
    )
    for (const [index, plan] of relations.entries()) {
      const from = types[plan.from]
      const to = types[plan.to]
      // A single type has no endpoint that lists it, so nothing points at it.
      if (!from || !to || to.single || from.single) continue
      const { owner, inverse } = ends(plan, index, from.name, to.name)
      Object.assign(attributes.get(from.name) ?? {}, { [owner[0]]: owner[1] })
      if (inverse) Object.assign(attributes.get(to.name) ?? {}, { [inverse[0]]: inverse[1] })
    }
    const single = types.find((type) => type.single)
    if (single)
      Object.assign(attributes.get(single.name) ?? {}, {
        link: linkTo('atlas', true) satisfies RandomAttribute,
      })
    return {
      components,
      types: types.map(({ name, single, drafts, localized }) => ({
        name,
        single,
        drafts,
        localized,
        attributes: attributes.get(name) ?? {},
      })),
    }
  })

export const uidOf = (type: string) => `api::${type}.${type}`
const pluralOf = (type: string) => `${type}-list`
/** The path of a type's endpoint. */
export const endpointOf = ({ name, single }: RandomType) => `/api/${single ? name : pluralOf(name)}`

/** The attribute as a schema file declares it. */
function schemaOf(attribute: RandomAttribute) {
  const localized = (is: boolean) => (is ? { pluginOptions: { i18n: { localized: true } } } : {})
  switch (attribute.kind) {
    case 'scalar':
      return {
        type: attribute.type,
        ...(attribute.private ? { private: true } : {}),
        ...(attribute.type === 'enumeration' ? { enum: CHOICES } : {}),
        ...localized(attribute.localized),
      }
    case 'component':
      return {
        type: 'component',
        component: attribute.component,
        repeatable: attribute.repeatable,
        ...localized(attribute.localized),
      }
    case 'zone':
      return { type: 'dynamiczone', components: attribute.components, ...localized(attribute.localized) }
    case 'relation': {
      const { relation, target, inverseOf, inverse } = attribute
      const morph = relation.startsWith('morph')
      return {
        type: 'relation',
        relation,
        ...(target === null ? {} : { target: uidOf(target) }),
        ...(inverseOf === null ? {} : { [morph ? 'morphBy' : 'mappedBy']: inverseOf }),
        ...(inverse === null || morph ? {} : { inversedBy: inverse }),
      }
    }
  }
}

const LONG: readonly string[] = ['text', 'richtext', 'json', 'blocks', 'password']

/** The first scalars of a type have indexes, the others have none. */
const indexesOf = ({ attributes }: RandomShape) =>
  Object.entries(attributes)
    .filter(([, attribute]) => attribute.kind === 'scalar' && !LONG.includes(attribute.type))
    .slice(0, 3)
    .map(([name]) => [name])

/** The files of a project folder with this model, by path. */
export const projectFiles = (model: RandomModel): Map<string, unknown> =>
  new Map([
    ['config/tokens.json', { full: { type: 'full-access', token: TOKEN } }],
    ...Object.entries(schemaFiles(model)),
  ])

/** The former names of renamed shapes and of their attributes, by present names. */
export interface FormerNames {
  readonly shapes?: Readonly<Record<string, string>>
  readonly attributes?: Readonly<Record<string, Readonly<Record<string, string>>>>
}

const renamedFrom = (name: string | undefined) => (name === undefined ? {} : { renamedFrom: name })

/** The schema files of a model and its locales. */
export function schemaFiles(
  { types, components }: RandomModel,
  former: FormerNames = {},
): Readonly<Record<string, unknown>> {
  const attributesOf = (shape: RandomShape) =>
    Object.fromEntries(
      Object.entries(shape.attributes).map(([name, attribute]) => {
        return [name, { ...schemaOf(attribute), ...renamedFrom(former.attributes?.[shape.name]?.[name]) }]
      }),
    )
  const files: Record<string, unknown> = {
    'config/locales.json': { default: DEFAULT_LOCALE, locales: LOCALES },
  }
  for (const type of types) {
    const formerType = former.shapes?.[type.name]
    files[`src/api/${type.name}/content-types/${type.name}/schema.json`] = {
      kind: type.single ? 'singleType' : 'collectionType',
      collectionName: `${type.name}_rows`,
      ...renamedFrom(formerType === undefined ? undefined : uidOf(formerType)),
      info: { singularName: type.name, pluralName: pluralOf(type.name), displayName: type.name },
      options: { draftAndPublish: type.drafts, indexes: indexesOf(type) },
      pluginOptions: { i18n: { localized: type.localized } },
      attributes: attributesOf(type),
    }
  }
  for (const component of components) {
    const [category, name] = component.name.split('.')
    files[`src/components/${category}/${name}.json`] = {
      ...renamedFrom(former.shapes?.[component.name]),
      collectionName: `components_${category}_${name}`,
      info: { displayName: component.name },
      attributes: attributesOf(component),
    }
  }
  return files
}

/** A token that may do everything. */
export const TOKEN = 'property-test-token-0123456789abcdef0123456789abcdef'
