/** Requests for rich content, with a token as a website sends them. */
import type { BenchRequest } from './workloads.ts'

export interface RichWorkload {
  readonly name: string
  readonly title: string
  requests(articles: readonly string[]): readonly BenchRequest[]
}

const PAGES = 20
const pages = (query: string) => () =>
  Array.from(
    { length: PAGES },
    (_, page): BenchRequest => ({
      method: 'GET',
      path: `/api/articles?pagination[page]=${page + 1}${query}`,
    }),
  )

export const richWorkloads: readonly RichWorkload[] = [
  { name: 'rich-list', title: 'rich: list of 25', requests: pages('') },
  {
    name: 'rich-one',
    title: 'rich: find one',
    requests: (articles) => articles.map((id) => ({ method: 'GET', path: `/api/articles/${id}?locale=de` })),
  },
  { name: 'rich-populate-all', title: 'rich: populate=*', requests: pages('&populate=*') },
  {
    name: 'rich-zone',
    title: 'rich: dynamic zone with its media',
    requests: pages('&fields[0]=title&populate[sections][populate]=*'),
  },
  {
    name: 'rich-search',
    title: 'rich: search',
    requests: () =>
      Array.from({ length: PAGES }, (_, index) => ({
        method: 'GET',
        path: `/api/articles?_q=article ${index + 100}&fields[0]=title&fields[1]=summary`,
      })),
  },
]
