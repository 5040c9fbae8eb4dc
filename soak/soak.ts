/**
 * The soak test: `npm run soak -- --minutes 10 --engine sqlite|postgres`. Prints the actions and memory use, writes them
 * to a JSON file, and fails if a response was wrong or memory grew.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres } from '../bench/servers/postgres.ts'
import { growthOf, type Sample } from './memory.ts'
import { soak } from './soak-run.ts'

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, engine: { type: 'string', default: 'sqlite' } },
})
const seconds = Number(values.minutes) * 60
const { engine } = values
if (!(seconds > 0) || (engine !== 'sqlite' && engine !== 'postgres'))
  throw new Error('--minutes must be a number, --engine must be sqlite or postgres')

const write = (line: string) => void process.stdout.write(`${line}\n`)
const cell = (value: number, digits = 0) => value.toFixed(digits).padStart(10)
const line = ({ at, requests, resident, held }: Sample) =>
  `${cell(at)} s ${cell(requests)} requests ${cell(resident, 1)} MB resident ${cell(held, 1)} MB held`

let over = false
// On Ctrl-C, keep the process alive until its server has stopped.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    over = true
  })

const folder = mkdtempSync(join(tmpdir(), 'octavo-soak-data-'))
const postgres = engine === 'postgres' ? await startPostgres() : null
try {
  const databaseUrl = postgres ? await postgres.database('soak') : `sqlite:${join(folder, 'soak.db')}`
  const report = await soak({
    databaseUrl,
    seconds,
    onSample: (sample) => write(line(sample)),
    isOver: () => over,
  })
  write('')
  for (const { name, times, p50, max } of report.acts)
    write(`${name.padEnd(24)} ${cell(times)} times ${cell(p50, 1)} ms p50 ${cell(max, 1)} ms at most`)
  const growth = growthOf(report.samples)
  write('')
  write(
    `${report.requests} requests in ${seconds} s on ${engine}; in the second half (${growth.requests} requests) held memory grew by ${growth.held.toFixed(2)} MB, resident memory by ${growth.resident.toFixed(2)} MB`,
  )
  for (const failure of report.failures) write(`✗ ${failure}`)
  const results = new URL('results/', import.meta.url)
  mkdirSync(results, { recursive: true })
  const file = new URL(`${engine}.json`, results)
  writeFileSync(file, `${JSON.stringify({ engine, seconds, growth, ...report }, null, 1)}\n`)
  write(
    report.faults.length === 0
      ? 'passed: every response was correct, memory stayed flat'
      : `failed: ${report.faults.join('; ')}`,
  )
  process.exitCode = report.faults.length === 0 ? 0 : 1
} finally {
  await postgres?.stop()
  rmSync(folder, { recursive: true, force: true })
}
