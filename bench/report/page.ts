/** Writes the results of a run to docs/performance.md, between the markers of each part. */
import { readFileSync, writeFileSync } from 'node:fs'
import type { Results } from '../results.ts'
import { plotGrowth, plotShares } from './plot.ts'
import {
  adminTables,
  changeTables,
  growthTables,
  provenance,
  searchTables,
  startTable,
  verdictTable,
  workloadTables,
} from './tables.ts'

const DOCS = new URL('../../docs/', import.meta.url)

/** Replaces the sections that the results cover; returns the files written. */
export function rewriteDocs(results: Results): string[] {
  const page = new URL('performance.md', DOCS)
  const written = ['docs/performance.md']
  let text = readFileSync(page, 'utf8')
  const put = (mark: string, content: string) => {
    text = between(text, mark, content)
  }
  const plot = (name: string, svg: string) => {
    writeFileSync(new URL(name, DOCS), svg)
    written.push(`docs/${name}`)
  }
  if (results.workloads) {
    plot('performance-shares.svg', plotShares(results.workloads))
    const picture = '![Shares of bare node:http by workload](performance-shares.svg)'
    put('workloads', [provenance(results), picture, workloadTables(results)].join('\n\n'))
    put('targets', verdictTable(results))
  }
  if (results.start) put('start', startTable(results))
  if (results.changes) put('changes', [provenance(results), changeTables(results)].join('\n\n'))
  if (results.search) put('search', [provenance(results), searchTables(results)].join('\n\n'))
  if (results.admin) put('admin', [provenance(results), adminTables(results.admin)].join('\n\n'))
  if (results.growth) {
    plot('performance-growth.svg', plotGrowth(results.growth.figures))
    const picture = '![Requests per second by number of documents](performance-growth.svg)'
    put('growth', [provenance(results), picture, growthTables(results)].join('\n\n'))
  }
  writeFileSync(page, text)
  return written
}

/** The page with the content between the markers replaced. */
export function between(page: string, mark: string, content: string): string {
  const [open, close] = [`<!-- bench: ${mark} -->`, `<!-- bench: end of ${mark} -->`]
  const [from, to] = [page.indexOf(open), page.indexOf(close)]
  if (from < 0 || to < from) throw new Error(`docs/performance.md has no markers for ${mark}`)
  return `${page.slice(0, from + open.length)}\n\n${content}\n\n${page.slice(to)}`
}
