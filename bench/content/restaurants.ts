/** The benchmark's content as data: countries, cities, chefs, categories and any number of restaurants. */

/** A document: its values, and the indexes of its related documents by attribute. */
export interface Document {
  readonly values: Readonly<Record<string, unknown>>
  readonly links: Readonly<Record<string, readonly number[]>>
}

export interface Kind {
  readonly name: string
  readonly plural: string
  readonly count: number
  /** The target kind of each relation. */
  readonly targets: Readonly<Record<string, string>>
  document(index: number): Document
}

export const CUISINES = ['italian', 'french', 'japanese', 'mexican', 'fusion']

const COUNTS = { country: 20, city: 60, chef: 500, category: 50 }

/** Every kind of document; relation targets come before the documents that refer to them. */
export const kindsOf = (restaurants: number): readonly Kind[] => [
  {
    name: 'country',
    plural: 'countries',
    count: COUNTS.country,
    targets: {},
    document: (i) => ({ values: { name: `Country ${i}`, code: `C${i}` }, links: {} }),
  },
  {
    name: 'city',
    plural: 'cities',
    count: COUNTS.city,
    targets: { country: 'country' },
    document: (i) => ({
      values: { name: `City ${i}`, population: 1000 * (i + 1) },
      links: { country: [i % COUNTS.country] },
    }),
  },
  {
    name: 'chef',
    plural: 'chefs',
    count: COUNTS.chef,
    targets: { city: 'city' },
    document: (i) => ({
      values: {
        name: `Chef ${i}`,
        bio: `Learned the craft in ${1950 + (i % 60)} and never stopped.`,
        awards: i % 12,
      },
      links: { city: [i % COUNTS.city] },
    }),
  },
  {
    name: 'category',
    plural: 'categories',
    count: COUNTS.category,
    targets: {},
    document: (i) => ({ values: { name: `Category ${i}`, rank: i }, links: {} }),
  },
  {
    name: 'restaurant',
    plural: 'restaurants',
    count: restaurants,
    targets: { chef: 'chef', categories: 'category' },
    document: (i) => ({
      values: {
        name: `Restaurant ${i}`,
        slug: `restaurant-${i}`,
        description: `Table ${i} by the window, a short menu and a long wine list.`,
        stars: i % 6,
        cuisine: CUISINES[i % CUISINES.length],
        average_price: 10 + (i % 900) / 10,
        opened_on: `${1950 + (i % 70)}-0${1 + (i % 9)}-1${i % 9}`,
        is_open: i % 7 !== 0,
        contact_email: `table${i}@example.test`,
      },
      links: {
        chef: [i % COUNTS.chef],
        categories: [...new Set([i, i * 3 + 1, i * 7 + 2].map((number) => number % COUNTS.category))],
      },
    }),
  },
]

/** documentIds of existing documents, to request and to relate to. */
export interface Seeded {
  readonly chefs: readonly string[]
  readonly categories: readonly string[]
  readonly restaurants: readonly string[]
}
