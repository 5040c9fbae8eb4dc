/**
 * Rich content: articles of 20 attributes in three locales, with nested components, a dynamic zone, media, and relations,
 * as drafts and published versions. Written through the API, as people do.
 */
import sharp from 'sharp'
import { createServer } from '../../src/http/app.ts'
import { TOKEN } from '../workloads.ts'

const LOCALES = ['en', 'de', 'fr']
const PICTURES = 24
const AUTHORS = 40
const TAGS = 30
const CONCURRENCY = 8
const KINDS = ['news', 'essay', 'review', 'guide']
const WORDS = 'river stone window harbour letter garden winter market signal paper bridge evening'.split(' ')

const headers = { authorization: `Bearer ${TOKEN}` }
const range = (count: number) => Array.from({ length: count }, (_, index) => index)

/** A sentence with a number of words, the same for the same number. */
const sentence = (index: number, words: number) =>
  range(words)
    .map((place) => WORDS[(index * 7 + place * 5 + ((index * place) % 11)) % WORDS.length])
    .join(' ')

/** Fills an empty database with a number of articles; returns their documentIds. */
export async function fillRich(project: string, databaseUrl: string, articles: number): Promise<string[]> {
  const server = await createServer({
    project,
    config: { server: { port: 0 }, database: { url: databaseUrl } },
    logLevel: 'silent',
  })
  try {
    const address = await server.listen()
    const pictures = await Promise.all(range(PICTURES).map((index) => upload(address, index)))
    const authors = await all(AUTHORS, (index) =>
      write(address, '/api/authors', {
        name: `Author ${index}`,
        bio: sentence(index, 20),
        picture: pictures[index % PICTURES],
      }),
    )
    const tags = await all(TAGS, (index) =>
      write(address, '/api/tags', { name: `Tag ${index}`, rank: index }),
    )
    return await all(articles, async (index) => {
      const data = (locale: string) => article(index, locale, pictures, authors, tags)
      const documentId = await write(address, '/api/articles', data('en'))
      for (const locale of LOCALES.slice(1))
        await write(address, `/api/articles/${documentId}?locale=${locale}`, data(locale), 'PUT')
      return documentId
    })
  } finally {
    await server.close()
  }
}

async function all(count: number, make: (index: number) => Promise<string>): Promise<string[]> {
  const made: string[] = []
  let next = 0
  const work = async () => {
    for (let index = next++; index < count; index = next++) made[index] = await make(index)
  }
  await Promise.all(range(CONCURRENCY).map(work))
  return made
}

async function write(address: string, path: string, data: object, method = 'POST'): Promise<string> {
  const response = await fetch(address + path, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ data }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} returned ${response.status} ${text}`)
  const written: { data: { documentId: string } } = JSON.parse(text)
  return written.data.documentId
}

async function upload(address: string, index: number): Promise<number> {
  const background = { r: (index * 40) % 256, g: (index * 90) % 256, b: 120 }
  const png = await sharp({ create: { width: 900, height: 600, channels: 3, background } })
    .png()
    .toBuffer()
  const form = new FormData()
  form.append('files', new Blob([new Uint8Array(png)], { type: 'image/png' }), `picture-${index}.png`)
  const response = await fetch(`${address}/api/upload`, { method: 'POST', headers, body: form })
  const text = await response.text()
  if (!response.ok) throw new Error(`An upload returned ${response.status} ${text}`)
  const [file]: { id: number }[] = JSON.parse(text)
  if (!file) throw new Error('An upload returned no file')
  return file.id
}

function article(
  index: number,
  locale: string,
  pictures: readonly number[],
  authors: readonly string[],
  tags: readonly string[],
): object {
  const picture = (step: number) => pictures[(index + step) % pictures.length]
  return {
    title: `Article ${index} ${locale}`,
    slug: `article-${index}-${locale}`,
    subtitle: sentence(index, 6),
    summary: sentence(index + 1, 30),
    body: `## ${sentence(index, 4)}\n\n${sentence(index + 2, 120)}`,
    source: `https://example.test/${index}`,
    contact: `article${index}@example.test`,
    kind: KINDS[index % KINDS.length],
    minutes: 2 + (index % 20),
    rank: index,
    views: String(1_000_000 + index),
    rating: (index % 50) / 10,
    price: (index % 400) / 4,
    featured: index % 5 === 0,
    written_on: `20${String(10 + (index % 15))}-0${1 + (index % 9)}-11`,
    starts_at: `2026-0${1 + (index % 9)}-03T09:30:00.000Z`,
    opens_at: '08:15:00.000',
    facts: { pages: index % 90, places: [sentence(index, 1), sentence(index + 3, 1)] },
    code: `A-${index.toString(36)}`,
    note: sentence(index + 4, 12),
    seo: {
      title: `Article ${index}`,
      description: sentence(index + 5, 18),
      canonical: `https://example.test/articles/${index}`,
      share: [
        { network: 'first', title: sentence(index, 5), image: picture(1) },
        { network: 'second', title: sentence(index + 1, 5), image: picture(2) },
      ],
    },
    sections: [
      { __component: 'page.text', heading: sentence(index, 4), body: sentence(index + 6, 60) },
      {
        __component: 'page.quote',
        words: sentence(index, 14),
        origin: { name: 'A reader', url: '/readers' },
      },
      { __component: 'page.pictures', caption: sentence(index, 5), images: [picture(3), picture(4)] },
      { __component: 'page.text', heading: sentence(index + 1, 4), body: sentence(index + 7, 60) },
    ],
    cover: picture(5),
    gallery: [picture(6), picture(7), picture(8)],
    author: authors[index % authors.length],
    tags: [0, 7, 11].map((step) => tags[(index + step) % tags.length]),
  }
}
