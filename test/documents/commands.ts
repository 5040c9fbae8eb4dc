/** Random writes to a few related documents, as data that fast-check can shrink. */
import fc from 'fast-check'
import type { NaiveTypes } from './naive.ts'

/** Posts have drafts and locales, writers drafts only, topics and badges neither. */
export const TYPES = {
  post: {
    drafts: true,
    localized: true,
    relations: {
      topics: { target: 'topic', many: true, inverse: 'posts', inverseMany: true },
      writer: { target: 'writer', many: false, inverse: 'posts', inverseMany: true },
      badge: { target: 'badge', many: false, inverse: 'post', inverseMany: false },
      parent: { target: 'post', many: false, inverse: 'children', inverseMany: true },
      likes: { target: 'topic', many: true, inverse: null, inverseMany: false },
    },
  },
  writer: {
    drafts: true,
    localized: false,
    relations: { friends: { target: 'writer', many: true, inverse: 'befriended', inverseMany: true } },
  },
  topic: {
    drafts: false,
    localized: false,
    relations: { over: { target: 'topic', many: false, inverse: 'under', inverseMany: true } },
  },
  badge: { drafts: false, localized: false, relations: {} },
} as const satisfies NaiveTypes

export type TypeName = keyof typeof TYPES
export const TYPE_NAMES: readonly TypeName[] = ['post', 'writer', 'topic', 'badge']

/** Every relation of a type: the type at the other end, and whether it is a list. */
export function sidesOf(type: TypeName): { attribute: string; target: TypeName; many: boolean }[] {
  return TYPE_NAMES.flatMap((owner) =>
    Object.entries(TYPES[owner].relations).flatMap(([attribute, { target, many, inverse, inverseMany }]) => [
      ...(owner === type ? [{ attribute, target, many }] : []),
      ...(target === type && inverse !== null
        ? [{ attribute: inverse, target: owner, many: inverseMany }]
        : []),
    ]),
  )
}

/** Numbers choose documents when the command runs. */
export interface RelationPick {
  readonly attribute: string
  readonly kind: 'set' | 'change'
  readonly picks: readonly number[]
  readonly places: readonly { readonly kind: 'start' | 'end' | 'before' | 'after'; readonly anchor: number }[]
  readonly disconnect: readonly number[]
}

export interface Command {
  readonly kind: 'create' | 'update' | 'publish' | 'unpublish' | 'discard' | 'remove'
  readonly type: TypeName
  readonly pick: number
  readonly locale: 'en' | 'fr'
  readonly status: 'draft' | 'published'
  readonly all: boolean
  readonly rank: number | null
  readonly relations: readonly RelationPick[]
}

const pick = fc.nat({ max: 30 })

const relations = (type: TypeName) =>
  fc
    .uniqueArray(fc.constantFrom(...sidesOf(type).map(({ attribute }) => attribute)), { maxLength: 3 })
    .chain((attributes) =>
      fc.tuple(
        ...attributes.map((attribute) =>
          fc.record({
            attribute: fc.constant(attribute),
            kind: fc.constantFrom('set' as const, 'change' as const, 'change' as const),
            picks: fc.array(pick, { maxLength: 3 }),
            places: fc.array(
              fc.record({
                kind: fc.constantFrom('end' as const, 'start' as const, 'before' as const, 'after' as const),
                anchor: pick,
              }),
              { minLength: 3, maxLength: 3 },
            ),
            disconnect: fc.array(pick, { maxLength: 2 }),
          }),
        ),
      ),
    )

export const command: fc.Arbitrary<Command> = fc
  .constantFrom<TypeName>('post', 'post', 'post', 'writer', 'topic', 'badge')
  .chain((type) =>
    fc.record({
      kind: fc.constantFrom<Command['kind']>(
        ...(['create', 'update', 'update', 'update', 'update', 'update'] as const),
        ...(TYPES[type].drafts ? (['publish', 'publish', 'unpublish', 'discard', 'discard'] as const) : []),
        'remove',
      ),
      type: fc.constant(type),
      pick,
      locale: fc.constantFrom('en' as const, 'en' as const, 'fr' as const),
      status: fc.constantFrom('draft' as const, 'published' as const),
      all: fc.boolean(),
      rank: fc.option(fc.nat({ max: 9 })),
      relations: relations(type),
    }),
  )

/** The first commands of every sequence create documents to relate. */
export const BEGINNING: readonly Command[] = (
  ['post', 'writer', 'topic', 'post', 'writer', 'badge', 'topic'] as const
).map((type) => ({
  ...{
    kind: 'create',
    type,
    pick: 0,
    locale: 'en',
    status: 'published',
    all: false,
    rank: null,
    relations: [],
  },
}))
