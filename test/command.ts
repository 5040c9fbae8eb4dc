/** The command, run to its end in a process of its own. */
import { execFile } from 'node:child_process'
import path from 'node:path'

const COMMAND = path.join(import.meta.dirname, '../bin/octavo.js')

export interface Ended {
  readonly code: number
  readonly out: string
  readonly err: string
}

export interface Surroundings {
  readonly env?: NodeJS.ProcessEnv
  /** What it can read from standard input. */
  readonly input?: string
}

/** Runs `octavo` with these arguments. */
export function octavo(args: readonly string[], { env, input = '' }: Surroundings = {}): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [COMMAND, ...args],
      { env: { ...process.env, ...env } },
      (error, out, err) => resolve({ code: error ? Number(error.code) : 0, out, err }),
    )
    child.stdin?.end(input)
  })
}
