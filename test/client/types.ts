/**
 * Tests of the client's types. Nothing here runs: an expectation that does not hold, or an error that the compiler does
 * not report, does not compile.
 */
import type { Filters } from '../../src/client/filters.ts'
import type { Answer, Client } from '../../src/client/index.ts'
import type { OperatorName } from '../../src/query/filters/operators.ts'
import type {
  Blocks,
  Category,
  Chef,
  Json,
  MediaFile,
  Position,
  Restaurant,
  RestaurantType,
  Schema,
  SharedSeo,
} from './schema.ts'

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
type Plain<T> = T extends object ? { [Key in keyof T]: T[Key] } : T

/** Compiles only when the two types are the same, neither wider nor narrower. */
function expectType<Expected>() {
  return {
    toBe: <Actual>(
      _value: Actual,
      ..._same: Same<Plain<Actual>, Plain<Expected>> extends true ? [] : [never]
    ) => {},
  }
}

declare const client: Client<Schema>

/** Every response has the requested fields and nothing else. */
export async function fieldsAndLinks() {
  const { data } = await client.find('restaurants')
  const [restaurant] = data
  if (!restaurant) return
  expectType<Restaurant>().toBe(restaurant)
  expectType<string>().toBe(restaurant.name)
  expectType<number | null>().toBe(restaurant.stars)
  expectType<string | null>().toBe(restaurant.visitors)
  expectType<Blocks | null>().toBe(restaurant.description)
  expectType<Json>().toBe(restaurant.extra)
  expectType<'italian' | 'french' | 'japanese' | 'mexican' | 'fusion' | null>().toBe(restaurant.cuisine)
  // @ts-expect-error a relation is missing unless it is populated
  restaurant.categories
  // @ts-expect-error a component too
  restaurant.address
  // @ts-expect-error a private attribute is always missing
  restaurant.internal_notes
}

export async function fieldsNarrow() {
  const one = await client.findOne('restaurants', 'x', { fields: ['name', 'stars'] })
  expectType<Pick<Restaurant, 'id' | 'documentId' | 'name' | 'stars'>>().toBe(one)
  const single = await client.findOne('restaurants', 'x', { fields: 'name' })
  expectType<Pick<Restaurant, 'id' | 'documentId' | 'name'>>().toBe(single)
  const all = await client.findOne('restaurants', 'x', { fields: '*' })
  expectType<Restaurant>().toBe(all)
  // @ts-expect-error a misspelt field
  await client.findOne('restaurants', 'x', { fields: ['nmae'] })
  // @ts-expect-error a relation is not a field
  await client.findOne('restaurants', 'x', { fields: ['chef'] })
}

export async function populateByName() {
  const { data } = await client.find('restaurants', {
    populate: { categories: true, cover: true, chef: true },
  })
  const [restaurant] = data
  if (!restaurant) return
  expectType<Category[]>().toBe(restaurant.categories)
  expectType<MediaFile | null>().toBe(restaurant.cover)
  expectType<Chef | null>().toBe(restaurant.chef)
  // @ts-expect-error the others are not populated
  restaurant.manager

  const list = await client.findOne('restaurants', 'x', { populate: ['chef', 'gallery'] })
  expectType<Chef | null>().toBe(list.chef)
  expectType<MediaFile[]>().toBe(list.gallery)
  // @ts-expect-error not in the list
  list.cover

  const name = await client.findOne('restaurants', 'x', { populate: 'chef' })
  expectType<Chef | null>().toBe(name.chef)

  const all = await client.findOne('restaurants', 'x', { populate: '*' })
  expectType<Restaurant[]>().toBe(all.branches)
  expectType<Restaurant[]>().toBe(all.localizations)
  expectType<SharedSeo | null>().toBe(all.seo)
  // @ts-expect-error one level deep
  all.chef?.restaurants

  const off = await client.findOne('restaurants', 'x', { populate: { chef: true, cover: false } })
  // @ts-expect-error switched off
  off.cover
}

export async function populateNested() {
  const { data } = await client.find('restaurants', {
    fields: ['name'],
    populate: {
      chef: { fields: ['name'], populate: { mentor: { populate: { portrait: true } } } },
      menu: { populate: '*' },
      categories: { filters: { rank: { $gt: 1 } }, sort: 'name:desc', limit: 3 },
      branches: { count: true },
    },
  })
  const [restaurant] = data
  if (!restaurant) return
  expectType<MediaFile | null | undefined>().toBe(restaurant.chef?.mentor?.portrait)
  expectType<string | undefined>().toBe(restaurant.chef?.name)
  expectType<{ count: number }>().toBe(restaurant.branches)
  expectType<Category[]>().toBe(restaurant.categories)
  // @ts-expect-error narrowed by fields
  restaurant.chef?.bio
  // @ts-expect-error not populated
  restaurant.chef?.portrait

  // @ts-expect-error a misspelt relation
  await client.find('restaurants', { populate: { catgories: true } })
  // @ts-expect-error a misspelt relation next to a correct one
  await client.find('restaurants', { populate: { categories: true, catgories: true } })
  // @ts-expect-error a misspelt nested relation
  await client.find('restaurants', { populate: { chef: { populate: { mentor: true, metnor: true } } } })
  // @ts-expect-error a misspelt option
  await client.find('restaurants', { populate: { chef: { feilds: ['name'] } } })
  // @ts-expect-error a misspelt field in a filter of a relation
  await client.find('restaurants', { populate: { categories: { filters: { name: 'a', rnak: 1 } } } })
  // @ts-expect-error a scalar cannot be populated
  await client.find('restaurants', { populate: ['name'] })
  // @ts-expect-error only lists are paginated
  await client.find('restaurants', { populate: { chef: { limit: 1 } } })
}

export async function zones() {
  const bare = await client.findOne('restaurants', 'x', { populate: { zone: true } })
  const [entry] = bare.zone
  if (entry?.__component === 'block.quote') {
    entry.documentId
    // @ts-expect-error a field of another component
    entry.question
  }
  expectType<'block.quote' | 'block.dish-highlight' | 'block.media-strip' | 'block.faq' | undefined>().toBe(
    entry?.__component,
  )

  const on = await client.findOne('restaurants', 'x', {
    populate: { zone: { on: { 'block.media-strip': { populate: { files: true } }, 'block.quote': true } } },
  })
  for (const one of on.zone) {
    expectType<'block.media-strip' | 'block.quote'>().toBe(one.__component)
    if (one.__component === 'block.media-strip') expectType<MediaFile[]>().toBe(one.files)
  }

  const shared = await client.findOne('restaurants', 'x', { populate: { zone: { populate: '*' } } })
  for (const one of shared.zone)
    if (one.__component === 'block.media-strip') expectType<MediaFile[]>().toBe(one.files)

  await client.findOne('restaurants', 'x', {
    populate: { zone: { on: { 'block.quote': { filters: { text: 'Q' }, sort: 'text:desc' } } } },
  })
  await client.findOne('restaurants', 'x', {
    // @ts-expect-error the component has no such field
    populate: { zone: { on: { 'block.quote': { filters: { none: 'x' } } } } },
  })
  await client.findOne('restaurants', 'x', {
    // @ts-expect-error no such component in the zone
    populate: { zone: { on: { 'block.nothing': true } } },
  })
}

export async function polymorphic() {
  const tag = await client.findOne('tags', 'x', { populate: { related: { on: { 'api::chef.chef': true } } } })
  for (const one of tag.related) {
    expectType<'api::chef.chef'>().toBe(one.__type)
    expectType<string>().toBe(one.name)
  }
  const comment = await client.findOne('comments', 'x', { populate: ['subject'] })
  if (comment.subject?.__type === 'api::dish.dish') expectType<number | null>().toBe(comment.subject.price)
}

/** A draft may have null where a published document must have a value. */
export async function drafts() {
  const draft = await client.findOne('restaurants', 'x', { status: 'draft', populate: { chef: true } })
  expectType<string | null>().toBe(draft.name)
  expectType<string>().toBe(draft.createdAt)
  expectType<string | null>().toBe(draft.publishedAt)
  expectType<string | null | undefined>().toBe(draft.chef?.name)
  const category = await client.findOne('categories', 'x', { status: 'draft' })
  expectType<string>().toBe(category.name)
  const discarded = await client.discard('restaurants', 'x')
  expectType<string | null>().toBe(discarded.name)
  const published = await client.publish('restaurants', 'x', { fields: ['name'] })
  expectType<string>().toBe(published.name)
}

/** The client imports no server code, so this compares its operators on text with those of the server. */
type TextFilter = NonNullable<Filters<RestaurantType>['name']>
type ClientOperator = keyof Exclude<TextFilter, string | readonly string[]>
export const hasEveryOperator: Same<ClientOperator, OperatorName | '$not'> = true

export async function filters() {
  await client.find('restaurants', {
    filters: {
      name: { $startsWithi: 'al', $ne: 'Alba' },
      stars: { $between: [1, 3] },
      is_open: true,
      visitors: { $gt: '9007199254740993' },
      last_inspection: { $lt: new Date() },
      cuisine: { $in: ['french', 'fusion'] },
      extra: { $contains: 'terrace' },
      chef: { name: { $eq: 'Ana' }, mentor: { $notNull: true } },
      categories: { $in: ['abc'] },
      address: { city: 'Rome' },
      $or: [{ stars: 3 }, { $not: { chef: { $null: true } } }],
    },
    _q: 'pizza',
    sort: ['_score', 'name', 'stars:desc', { chef: { name: 'asc' } }],
    locale: ['en', 'fr'],
    publicationFilter: 'modified',
  })
  // @ts-expect-error not a locale of the project
  await client.find('restaurants', { locale: 'de' })
  // @ts-expect-error the history knows them too
  await client.history('restaurants', 'x', { locale: 'de' })
  // @ts-expect-error and so do schedules
  await client.schedule('restaurants', 'x', { publishAt: null, locale: 'de' })
  // @ts-expect-error a number is not compared with text
  await client.find('restaurants', { filters: { stars: { $gt: 'many' } } })
  // @ts-expect-error numbers have no $startsWith
  await client.find('restaurants', { filters: { stars: { $startsWith: '1' } } })
  // @ts-expect-error a boolean has no order
  await client.find('restaurants', { filters: { is_open: { $gt: false } } })
  // @ts-expect-error not a value of the enumeration
  await client.find('restaurants', { filters: { cuisine: 'martian' } })
  // @ts-expect-error a misspelt field
  await client.find('restaurants', { filters: { name: 'a', nmae: 'b' } })
  // @ts-expect-error a misspelt operator
  await client.find('restaurants', { filters: { name: { $eqls: 'b' } } })
  // @ts-expect-error a misspelt field of a relation
  await client.find('restaurants', { filters: { chef: { nmae: 'b' } } })
  // @ts-expect-error media cannot be filtered
  await client.find('restaurants', { filters: { cover: { name: 'a.png' } } })
  // @ts-expect-error zones cannot be filtered
  await client.find('restaurants', { filters: { zone: { $null: true } } })
  // @ts-expect-error private attributes cannot be filtered
  await client.find('restaurants', { filters: { internal_notes: 'x' } })
  // @ts-expect-error and cannot be sorted by
  await client.find('restaurants', { sort: 'internal_notes' })
  // @ts-expect-error a misspelt order
  await client.find('restaurants', { sort: 'name:down' })
  // @ts-expect-error no such path
  await client.find('restaurant')
}

export async function pages() {
  const byPage = await client.find('dishes', { pagination: { page: 2, pageSize: 10 } })
  expectType<number>().toBe(byPage.meta.pagination.pageCount)
  const byOffset = await client.find('dishes', { pagination: { start: 10, limit: 5 } })
  expectType<{ start: number; limit: number; total: number }>().toBe(byOffset.meta.pagination)
  const byCursor = await client.find('dishes', { pagination: { cursor: 'start', pageSize: 5 } })
  expectType<{ pageSize: number; nextCursor: string | null; previousCursor: string | null }>().toBe(
    byCursor.meta.pagination,
  )
  const counted = await client.find('dishes', {
    pagination: { cursor: 'start', pageSize: 5, withCount: true },
  })
  expectType<number>().toBe(counted.meta.pagination.total)
  // @ts-expect-error a cursor is not combined with a page
  await client.find('dishes', { pagination: { cursor: 'start', page: 2 } })
  const uncounted = await client.find('dishes', { pagination: { page: 2, withCount: false } })
  expectType<{ page: number; pageSize: number }>().toBe(uncounted.meta.pagination)
}

export async function writing() {
  const created = await client.create('restaurants', { name: 'Alba', chef: 'abc', cover: 4 })
  expectType<string>().toBe(created.documentId)
  // @ts-expect-error the response to a create has no numeric id
  created.id
  // @ts-expect-error the name is required to publish
  await client.create('restaurants', { stars: 3 })
  await client.create('restaurants', { stars: 3 }, { status: 'draft' })
  await client.update('restaurants', 'x', {
    stars: null,
    categories: { connect: ['a', { id: 3, position: { before: 'b' } }], disconnect: [{ documentId: 'c' }] },
    menu: [{ id: 7, title: 'Starters' }],
    zone: [{ __component: 'block.quote', text: 'So good' }],
    last_inspection: new Date(),
  })
  const updated = await client.update('restaurants', 'x', { stars: 1 }, { populate: ['chef'] })
  expectType<Chef | null>().toBe(updated.chef)
  // @ts-expect-error set cannot be combined
  await client.update('restaurants', 'x', { categories: { set: ['a'], connect: ['b'] } })
  // @ts-expect-error one position only
  const position: Position = { start: true, before: 1 }
  await client.update('restaurants', 'x', { categories: { connect: [{ id: 1, position }] } })
  // @ts-expect-error not a component of the zone
  await client.update('restaurants', 'x', { zone: [{ __component: 'place.address' }] })
  // @ts-expect-error a misspelt attribute
  await client.update('restaurants', 'x', { strs: 3 })
  // @ts-expect-error the wrong type
  await client.update('restaurants', 'x', { stars: 'three' })
}

export async function singles() {
  const home = await client.findSingle('homepage', { populate: { featured: { fields: ['name'] } } })
  expectType<Pick<Restaurant, 'id' | 'documentId' | 'name'>[]>().toBe(home.featured)
  await client.updateSingle('setting', { site_name: 'Guide' })
  await client.deleteSingle('homepage')
  // @ts-expect-error a collection is not a single type
  await client.findSingle('restaurants')
}

export async function files() {
  const [file] = await client.upload(new Blob(['a']), { alternativeText: 'A' })
  expectType<MediaFile | undefined>().toBe(file)
}

/** For the props of a component. */
export type Card = Answer<RestaurantType, { fields: ['name']; populate: { cover: true } }>
export const card: Card = { id: 1, documentId: 'x', name: 'Alba', cover: null }

/** Calls accept only valid arguments. */
export async function optionsOfCalls() {
  const { signal } = new AbortController()
  const one = await client.findOne('restaurants', 'x', { fields: 'name' }, { signal })
  const { etag, omitted } = client.about(one)
  expectType<string | undefined>().toBe(etag)
  expectType<readonly string[]>().toBe(omitted)
  await client.update('restaurants', 'x', { stars: 1 }, {}, { signal, ifMatch: etag })
  await client.publish('restaurants', 'x', {}, { ifMatch: etag, idempotencyKey: 'a' })
  await client.create('restaurants', { name: 'x' }, {}, { idempotencyKey: 'a' })
  // @ts-expect-error a create has no version to match
  await client.create('restaurants', { name: 'x' }, {}, { ifMatch: etag })
  // @ts-expect-error reads need no idempotency key
  await client.find('restaurants', {}, { idempotencyKey: 'a' })
}
