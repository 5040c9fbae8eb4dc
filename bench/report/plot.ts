/** Results as SVG plots that are readable on light and dark pages. */

import type { Engine } from '../options.ts'
import type { GrowthFigure, WorkloadResult } from '../results.ts'
import { targetOf } from '../targets.ts'

const COLOURS = ['#2a7de1', '#e0762b', '#1f9d74', '#a55bd6', '#d1436b', '#8a8f19', '#3aa5b8', '#7a6a5a']

/** Text and lines follow the colour scheme of the page; the data colours work on both. */
const STYLE = `
  text { font: 12px system-ui, sans-serif; fill: #333 }
  .title { font-size: 14px; font-weight: 600 }
  .small { font-size: 11px }
  .rule { stroke: #999; stroke-width: 1; opacity: .35 }
  .target { stroke: #333; stroke-width: 2 }
  @media (prefers-color-scheme: dark) {
    text { fill: #ddd }
    .target { stroke: #eee }
  }`

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

function svg(width: number, height: number, label: string, parts: readonly string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(label)}">
<style>${STYLE}
</style>
${parts.join('\n')}
</svg>
`
}

const text = (x: number, y: number, words: string, more = '') =>
  `<text x="${x}" y="${y}" ${more}>${escaped(words)}</text>`
const rule = (x1: number, y1: number, x2: number, y2: number, kind = 'rule') =>
  `<line class="${kind}" x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}"/>`
const round = (value: number) => Math.round(value * 10) / 10

const LEFT = 220
const RIGHT = 40
const WIDTH = 860

/** Shares of bare `node:http` as bars: one worker, both engines, with and without the response cache. */
export function plotShares(figures: readonly WorkloadResult[]): string {
  const series = [
    { words: 'SQLite, uncached', engine: 'sqlite', cache: 'off' },
    { words: 'SQLite, cached', engine: 'sqlite', cache: 'on' },
    { words: 'PostgreSQL, uncached', engine: 'postgres', cache: 'off' },
    { words: 'PostgreSQL, cached', engine: 'postgres', cache: 'on' },
  ] as const
  const own = figures.filter(({ workers }) => workers === 1)
  const titles = [...new Map(own.map(({ workload, title }) => [workload, title]))]
  const most = Math.max(1, ...own.map(({ share }) => share))
  const x = (share: number) => round(LEFT + (share / most) * (WIDTH - LEFT - RIGHT))
  const thick = 9
  const rowHeight = series.length * thick + 14
  const top = 66
  const bottom = top + titles.length * rowHeight
  const grid = [0, 0.25, 0.5, 0.75, 1].map((share) =>
    [
      rule(x(share), top - 6, x(share), bottom),
      text(x(share), top - 10, share.toFixed(2), 'class="small" text-anchor="middle"'),
    ].join(''),
  )
  const legend = series.map(({ words }, index) => {
    const at = 16 + index * 205
    return `<rect x="${at}" y="30" width="12" height="12" fill="${COLOURS[index]}"/>${text(at + 18, 40, words, 'class="small"')}`
  })
  const rows = titles.map(([workload, title], place) => {
    const y = top + place * rowHeight
    const bars = series.flatMap(({ engine, cache }, index) => {
      const found = own.find(
        (one) => one.workload === workload && one.engine === engine && one.cache === cache,
      )
      if (!found) return []
      const at = y + index * thick
      const wanted = engine === 'sqlite' ? targetOf(workload, 'sqlite', cache) : null
      return [
        `<rect x="${LEFT}" y="${at}" width="${round(x(found.share) - LEFT)}" height="${thick - 1}" fill="${COLOURS[index]}"/>`,
        ...(wanted === null ? [] : [rule(x(wanted), at - 1, x(wanted), at + thick, 'target')]),
      ]
    })
    return [text(LEFT - 10, y + rowHeight / 2 - 4, title, 'text-anchor="end"'), ...bars].join('')
  })
  const title = 'Share of bare node:http with the same bytes, one worker; strokes mark the targets'
  return svg(WIDTH, bottom + 16, title, [text(16, 18, title, 'class="title"'), ...legend, ...grid, ...rows])
}

/** Requests per second by number of documents, on logarithmic scales: one panel per engine. */
export function plotGrowth(figures: readonly GrowthFigure[]): string {
  const own = figures.filter(({ grows }) => grows === 'documents')
  const engines: readonly Engine[] = [...new Set(own.map(({ engine }) => engine))]
  const names = [...new Map(own.map(({ workload, title }) => [workload, title]))]
  const sizes = [...new Set(own.map(({ size }) => size))].sort((a, b) => a - b)
  const rates = own.map(({ own: { requestsPerSecond } }) => Math.max(1, requestsPerSecond))
  const [low, high] = [Math.floor(Math.log10(Math.min(...rates))), Math.ceil(Math.log10(Math.max(...rates)))]
  const panel = { width: 400, height: 300, top: 60, left: 60 }
  const first = Math.log10(sizes[0] ?? 1)
  const span = Math.max(1e-9, Math.log10(sizes.at(-1) ?? 10) - first)
  const y = (rate: number) =>
    round(
      panel.top +
        panel.height -
        ((Math.log10(Math.max(1, rate)) - low) / Math.max(1, high - low)) * panel.height,
    )
  const panels = engines.map((engine, place) => {
    const left = panel.left + place * (panel.width + 60)
    const x = (size: number) => round(left + ((Math.log10(size) - first) / span) * (panel.width - 20))
    const across = Array.from({ length: high - low + 1 }, (_, index) => 10 ** (low + index)).map((rate) =>
      [
        rule(left, y(rate), left + panel.width - 20, y(rate)),
        text(left - 6, y(rate) + 4, rate.toLocaleString('en'), 'class="small" text-anchor="end"'),
      ].join(''),
    )
    const down = sizes.map((size) =>
      text(
        x(size),
        panel.top + panel.height + 18,
        size.toLocaleString('en'),
        'class="small" text-anchor="middle"',
      ),
    )
    const lines = names.map(([workload], index) => {
      const points = own
        .filter((one) => one.engine === engine && one.workload === workload)
        .sort((a, b) => a.size - b.size)
        .map(({ size, own: { requestsPerSecond } }) => ({ x: x(size), y: y(requestsPerSecond) }))
      const colour = COLOURS[index % COLOURS.length]
      const dash = index >= COLOURS.length ? ' stroke-dasharray="4 3"' : ''
      return [
        `<polyline fill="none" stroke="${colour}" stroke-width="2"${dash} points="${points.map((point) => `${point.x},${point.y}`).join(' ')}"/>`,
        ...points.map((point) => `<circle cx="${point.x}" cy="${point.y}" r="3" fill="${colour}"/>`),
      ].join('')
    })
    const name = engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'
    return [text(left, panel.top - 12, name, 'class="title"'), ...across, ...down, ...lines].join('\n')
  })
  const below = panel.top + panel.height + 44
  const legend = names.map(([, title], index) => {
    const [column, row] = [index % 3, Math.floor(index / 3)]
    const [at, line] = [panel.left + column * 300, below + row * 20]
    const dash = index >= COLOURS.length ? ' stroke-dasharray="4 3"' : ''
    return `<line x1="${at}" y1="${line - 4}" x2="${at + 22}" y2="${line - 4}" stroke="${COLOURS[index % COLOURS.length]}" stroke-width="3"${dash}/>${text(at + 30, line, title, 'class="small"')}`
  })
  const width = Math.max(panel.left + engines.length * (panel.width + 60), panel.left + 900)
  const title = 'Requests per second by number of documents (both scales logarithmic)'
  return svg(width, below + Math.ceil(names.length / 3) * 20, title, [
    text(16, 18, title, 'class="title"'),
    ...panels,
    ...legend,
  ])
}
