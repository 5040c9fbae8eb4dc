/** Fills a database with the content of the benchmark, through the server's own request path. */
import { createServer, type OctavoServer } from '../src/http/app.ts'
import { TOKEN } from './workloads.ts'

export interface Seeded {
  readonly countries: readonly string[]
  readonly cities: readonly string[]
  readonly chefs: readonly string[]
  readonly categories: readonly string[]
  readonly restaurants: readonly string[]
}

const CONCURRENCY = 32

/** Makes the content; answers with the documentIds by type. */
export async function seed(project: string, databaseUrl: string, restaurants: number): Promise<Seeded> {
  const server = await createServer({
    project,
    config: { database: { url: databaseUrl } },
    logLevel: 'silent',
  })
  try {
    return await fill(server, restaurants)
  } finally {
    await server.close()
  }
}

async function fill(server: OctavoServer, count: number): Promise<Seeded> {
  const make = (plural: string, many: number, data: (index: number) => object) =>
    inTurns(many, async (index) => {
      const { statusCode, body } = await server.app.inject({
        method: 'POST',
        url: `/api/${plural}`,
        headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
        payload: JSON.stringify({ data: data(index) }),
      })
      if (statusCode !== 201) throw new Error(`Seeding ${plural} failed: ${statusCode} ${body}`)
      const answer: { data: { documentId: string } } = JSON.parse(body)
      return answer.data.documentId
    })
  const pick = (list: readonly string[], index: number) => list[index % list.length]

  const countries = await make('countries', 20, (i) => ({ name: `Country ${i}`, code: `C${i}` }))
  const cities = await make('cities', 60, (i) => ({
    name: `City ${i}`,
    population: 1000 * (i + 1),
    country: pick(countries, i),
  }))
  const chefs = await make('chefs', 500, (i) => ({
    name: `Chef ${i}`,
    bio: `Learned the craft in ${1950 + (i % 60)} and never stopped.`,
    awards: i % 12,
    city: pick(cities, i),
  }))
  const categories = await make('categories', 50, (i) => ({ name: `Category ${i}`, rank: i }))
  const restaurants = await make('restaurants', count, (i) => ({
    name: `Restaurant ${i}`,
    slug: `restaurant-${i}`,
    description: `Table ${i} by the window, a short menu and a long wine list.`,
    stars: i % 6,
    cuisine: ['italian', 'french', 'japanese', 'mexican', 'fusion'][i % 5],
    average_price: 10 + (i % 900) / 10,
    opened_on: `${1950 + (i % 70)}-0${1 + (i % 9)}-1${i % 9}`,
    is_open: i % 7 !== 0,
    contact_email: `table${i}@example.test`,
    chef: pick(chefs, i),
    categories: [pick(categories, i), pick(categories, i * 3 + 1), pick(categories, i * 7 + 2)].filter(
      (id, place, all) => all.indexOf(id) === place,
    ),
  }))
  return { countries, cities, chefs, categories, restaurants }
}

/** Runs the work for 0, 1, 2, … with bounded concurrency; results in order. */
async function inTurns<T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> {
  const results: T[] = []
  let next = 0
  const worker = async () => {
    while (next < count) {
      const index = next++
      results[index] = await work(index)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, worker))
  return results
}
