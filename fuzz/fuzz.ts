/**
 * The fuzzer: sends random requests to two servers, one on SQLite and one on PostgreSQL, compares their responses with
 * each other and checks the rules that every response must follow. `npm run fuzz -- --requests 100000 --seed 1`
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres } from '../bench/servers/postgres.ts'
import { campaign, type Found, type Report } from './campaign.ts'
import { startServerPair } from './server-pair.ts'

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})
const requests = Number(values.requests)
const seed = Number(values.seed)
if (!Number.isInteger(requests) || !Number.isInteger(seed))
  throw new Error('--requests and --seed must be integers')

const write = (line: string) => void process.stdout.write(`${line}\n`)

/** A finding as text for the developer who will fix it. */
function describe({ description: words, requests: wires, responses: answers, ask, round }: Found): string {
  const [{ method, target, body }] = wires
  return [
    `✗ ${words}  (round ${round})`,
    `  ${method} ${target.slice(0, 1500)}  as ${ask.as}`,
    ...(ask.headers.length > 0 ? [`  ${JSON.stringify(ask.headers).slice(0, 300)}`] : []),
    ...(body === null ? [] : [`  ${body.toString('utf8').slice(0, 1500)}`]),
    ...answers.map(
      (answer) =>
        `  → ${typeof answer === 'string' ? answer : `${answer.status} ${answer.text.slice(0, 600)}`}`,
    ),
  ].join('\n')
}

function table({ tally }: Report): string[] {
  return [...tally]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([route, row]) =>
        `  ${route.padEnd(58)} ${[...row]
          .sort(([a], [b]) => a - b)
          .map(([status, times]) => `${status}×${times}`)
          .join(' ')}`,
    )
}

let over = false
// On Ctrl-C, keep the process alive until its servers have stopped.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    over = true
  })

const folder = mkdtempSync(join(tmpdir(), 'octavo-fuzz-data-'))
const postgres = await startPostgres()
let databases = 0
const began = performance.now()
try {
  const report = await campaign({
    requests,
    seed,
    isOver: () => over,
    open: async () => {
      databases += 1
      return startServerPair([
        `sqlite:${join(folder, `${databases}.db`)}`,
        await postgres.database(`fuzz_${databases}`),
      ])
    },
    onFinding: (found) => write(describe(found)),
    onRound: (done) => (done % 4000 < 400 ? write(`${done} requests`) : undefined),
  })
  const seconds = (performance.now() - began) / 1000
  write(['By route:', ...table(report)].join('\n'))
  write(
    `${report.requests} requests to each server in ${seconds.toFixed(0)} s, seed ${seed}: ${report.findings.length} findings`,
  )
  process.exitCode = report.findings.length > 0 ? 1 : 0
} finally {
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
