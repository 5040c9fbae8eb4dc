/** Lines of the leading process, in the form of those that the workers write. */
import { hostname } from 'node:os'
import type { Log } from './primary.ts'

const LEVELS = { info: 30, warn: 40, error: 50 }

/** Writes to the standard output. */
export function createLog(): Log {
  const write = (level: number) => (msg: string) => {
    const line = { level, time: Date.now(), pid: process.pid, hostname: hostname(), msg }
    process.stdout.write(`${JSON.stringify(line)}\n`)
  }
  return { info: write(LEVELS.info), warn: write(LEVELS.warn), error: write(LEVELS.error) }
}
