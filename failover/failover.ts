/**
 * Failover under load: `npm run failover -- --rounds 20`. In each round the primary database ends without warning, its
 * synchronous standby is promoted, and the former primary comes back as a standby. Fails if an acknowledged write is lost.
 */
import { parseArgs } from 'node:util'
import { runFailovers } from './failover-run.ts'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '20' } } })
const rounds = Number(values.rounds)
if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds must be a positive integer')

const write = (line: string) => void process.stdout.write(`${line}\n`)
let isStopped = false
// On Ctrl-C, keep the process alive until its servers have stopped.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    isStopped = true
  })

const report = await runFailovers({
  rounds,
  isOver: () => isStopped,
  onRound: (round, milliseconds) => write(`round ${round}: writes again after ${milliseconds.toFixed(0)} ms`),
})
for (const sentence of report.wrong.slice(0, 20)) write(`✗ ${sentence}`)
const longest = Math.max(0, ...report.interruptions)
write(
  `${report.rounds} failovers, ${report.acknowledged} writes acknowledged, ${report.refused} refused with Retry-After, at most ${longest.toFixed(0)} ms without a write`,
)
write(report.wrong.length === 0 ? 'passed: no acknowledged write was lost' : 'failed')
process.exitCode = report.wrong.length === 0 ? 0 : 1
