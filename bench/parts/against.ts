/** The workloads on another server that has this API and the content-types of the benchmark's project. */
import { kindsOf, type Seeded } from '../content/restaurants.ts'
import type { Bench } from '../measure.ts'
import { UsageError } from '../options.ts'
import type { WorkloadResult } from '../results.ts'
import { bound, measureAll } from './workloads.ts'

type Against = NonNullable<Bench['options']['against']>

/** Measures the server as it is; writes are measured only with a token. */
export async function measureAgainst(bench: Bench, against: Against): Promise<WorkloadResult[]> {
  if (against.fill) await fill(against, bench.options.restaurants)
  const seeded = await known(against)
  const subject = { address: against.url, use: () => null }
  return measureAll(
    bench,
    subject,
    bound(seeded),
    { engine: 'other', cache: 'off', workers: 1 },
    against.token,
  )
}

const headersOf = ({ token }: Against) => (token === null ? {} : { authorization: `Bearer ${token}` })

/** The documents that the server has. */
async function known(against: Against): Promise<Seeded> {
  const seeded = {
    chefs: await idsOf(against, 'chefs'),
    categories: await idsOf(against, 'categories'),
    restaurants: await idsOf(against, 'restaurants'),
  }
  const empty = Object.entries(seeded).find(([, ids]) => ids.length === 0)
  if (empty) {
    throw new UsageError(`${against.url} has no ${empty[0]}; use --token and --fill to create the content`)
  }
  return seeded
}

async function idsOf(against: Against, plural: string): Promise<string[]> {
  const ids: string[] = []
  for (let page = 1; page <= 10; page++) {
    const path = `/api/${plural}?fields[0]=documentId&pagination[page]=${page}&pagination[pageSize]=100`
    const response = await fetch(against.url + path, { headers: headersOf(against) })
    const text = await response.text()
    if (!response.ok) throw new Error(`${path} returned ${response.status} ${text}`)
    const { data }: { data: { documentId: string }[] } = JSON.parse(text)
    ids.push(...data.map(({ documentId }) => documentId))
    if (data.length < 100) break
  }
  return ids
}

const CONCURRENCY = 16

/** Creates the content through the API, one document at a time. */
async function fill(against: Against, restaurants: number): Promise<void> {
  const ids = new Map<string, string[]>()
  for (const { name, plural, count, targets, document } of kindsOf(restaurants)) {
    const made: string[] = []
    let next = 0
    const work = async () => {
      while (next < count) {
        const index = next++
        const { values, links } = document(index)
        const related = Object.entries(links).map(([attribute, numbers]) => [
          attribute,
          numbers.map((number) => ids.get(targets[attribute] ?? '')?.[number]),
        ])
        made[index] = await post(against, plural, { ...values, ...Object.fromEntries(related) })
      }
    }
    await Promise.all(Array.from({ length: CONCURRENCY }, work))
    ids.set(name, made)
    console.log(`  ${count} ${plural}`)
  }
}

async function post(against: Against, plural: string, data: object): Promise<string> {
  const response = await fetch(`${against.url}/api/${plural}`, {
    method: 'POST',
    headers: { ...headersOf(against), 'content-type': 'application/json' },
    body: JSON.stringify({ data }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`Writing ${plural} failed: ${response.status} ${text}`)
  const answer: { data: { documentId: string } } = JSON.parse(text)
  return answer.data.documentId
}
