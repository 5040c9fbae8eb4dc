/** The log of the primary process, in the same JSON format as that of the workers. */
import { hostname } from 'node:os'

export interface Log {
  info(message: string): void
  warn(message: string): void
  error(message: string): void
}

const LEVELS = { info: 30, warn: 40, error: 50 }

/** A log that writes to standard output. */
export function createLog(): Log {
  const write = (level: number) => (msg: string) => {
    const line = { level, time: Date.now(), pid: process.pid, hostname: hostname(), msg }
    process.stdout.write(`${JSON.stringify(line)}\n`)
  }
  return { info: write(LEVELS.info), warn: write(LEVELS.warn), error: write(LEVELS.error) }
}
