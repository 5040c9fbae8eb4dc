/**
 * The siege: `npm run siege -- --minutes 10 --engine sqlite|postgres|both --seed 1`. Plays attacks against a server beside
 * ordinary clients, prints what both got, and fails if an attack succeeded or an ordinary client was not served.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres } from '../bench/servers/postgres.ts'
import { type Progress, runSiege, type SiegeReport } from './siege-run.ts'
import { ALL, services } from './verdict.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    engine: { type: 'string', default: 'both' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})
const seconds = Number(values.minutes) * 60
const seed = Number(values.seed)
const ENGINES: Readonly<Record<string, readonly ('sqlite' | 'postgres')[]>> = {
  sqlite: ['sqlite'],
  postgres: ['postgres'],
  both: ['sqlite', 'postgres'],
}
const engines = ENGINES[values.engine]
if (!(seconds > 0) || !Number.isInteger(seed) || !engines)
  throw new Error('--minutes must be a number, --engine sqlite, postgres or both, --seed an integer')

const write = (line: string) => void process.stdout.write(`${line}\n`)
const cell = (value: number, digits = 0) => value.toFixed(digits).padStart(9)

function showProgress({ phase, at, served, attacks, breaches }: Progress) {
  const all = services(served).at(-1)
  if (!all) return
  write(
    `${cell(at)} s  ${phase.padEnd(9)} ${cell(all.requests)} ordinary requests, p99 ${cell(all.p99, 1)} ms, ${all.refused} refused; ${cell(attacks)} attacks, ${breaches} breaches`,
  )
}

function showTables({ rest, siege, attacks, before, after }: SiegeReport) {
  write(
    `\n${'ordinary clients'.padEnd(30)} requests   refused  p50 rest     siege  p99 rest     siege   slowest ms`,
  )
  const atRest = new Map(services(rest).map((one) => [one.action, one]))
  for (const { action, requests, refused, p50, p99, slowest } of services(siege)) {
    const quiet = atRest.get(action)
    write(
      `${(action === ALL ? 'all of them' : action).padEnd(29)}${cell(requests)} ${cell(refused)} ${cell(quiet?.p50 ?? 0, 1)} ${cell(p50, 1)} ${cell(quiet?.p99 ?? 0, 1)} ${cell(p99, 1)} ${cell(slowest)}`,
    )
  }
  write(`\n${'attacks'.padEnd(30)}    times   slowest ms  statuses`)
  for (const { name, runs, slowestMs, statuses } of attacks) {
    const counts = [...statuses].sort(([a], [b]) => a - b)
    write(
      `${name.padEnd(29)}${cell(runs)} ${cell(slowestMs)}     ${counts.map(([status, times]) => `${status || 'closed'}×${times}`).join(' ')}`,
    )
  }
  write(
    `\nmemory: held ${before.held.toFixed(1)} MB before, ${after.held.toFixed(1)} MB after; resident ${before.resident.toFixed(0)} and ${after.resident.toFixed(0)} MB`,
  )
}

let isStopped = false
// On Ctrl-C, keep the process alive until its server has stopped.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    isStopped = true
  })

const folder = mkdtempSync(join(tmpdir(), 'octavo-siege-data-'))
const postgres = engines.includes('postgres') ? await startPostgres() : null
try {
  for (const engine of engines) {
    if (isStopped) break
    write(`\n${engine}, ${seconds} s, seed ${seed}`)
    const databaseUrl =
      engine === 'postgres' && postgres
        ? await postgres.database('siege')
        : `sqlite:${join(folder, 'siege.db')}`
    const report = await runSiege({
      databaseUrl,
      seconds,
      seed,
      size: 'whole',
      onProgress: showProgress,
      isOver: () => isStopped,
    })
    showTables(report)
    for (const sentence of [...report.wrong, ...report.breaches]) write(`✗ ${sentence}`)
    const faults = [...report.faults, ...report.slowness]
    write(
      faults.length === 0
        ? 'passed: no attack succeeded, ordinary clients were served, memory is back at its level'
        : `failed: ${faults.join('; ')}`,
    )
    if (faults.length > 0) process.exitCode = 1
    const results = new URL('results/', import.meta.url)
    mkdirSync(results, { recursive: true })
    const { rest, siege, attacks, ...verdict } = report
    const summary = {
      ...{ engine, seconds, seed, rest: services(rest), siege: services(siege) },
      attacks: attacks.map(({ statuses, ...tally }) => ({
        ...tally,
        statuses: Object.fromEntries(statuses),
      })),
      ...verdict,
    }
    writeFileSync(new URL(`${engine}.json`, results), `${JSON.stringify(summary, null, 1)}\n`)
  }
} finally {
  await postgres?.stop()
  rmSync(folder, { recursive: true, force: true })
}
