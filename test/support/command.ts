/** The command in a process of its own: run to its end, or serving until it is stopped. */
import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { until } from './wait-until.ts'

export const COMMAND = path.join(import.meta.dirname, '../../bin/octavo.js')

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
      { env: { ...process.env, ...env }, maxBuffer: 10_000_000 },
      (error, out, err) => resolve({ code: error ? Number(error.code) : 0, out, err }),
    )
    child.stdin?.end(input)
  })
}

export interface Running {
  readonly child: ChildProcessWithoutNullStreams
  /** What it has printed so far. */
  said(): string
  /** Where it listens, once it has printed that; fails when it ends before. */
  address(): Promise<string>
  /** Its exit code, when it ends; null when a signal ended it. */
  ended(): Promise<number | null>
  /** Sends it a signal, unless it has ended, and waits for its end. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

/** How `start`, `dev` and the demo say it; something follows, or the end of the port may not have come yet. */
const LISTENS = /Octavo (?:listens on|is serving .* at) (http:\/\/[\d.]+:\d+)\D/

/** Starts `octavo` with these arguments, without waiting for it. */
export const launch = (args: readonly string[], env: NodeJS.ProcessEnv = {}): Running =>
  follow(spawn(process.execPath, [COMMAND, ...args], { env: { ...process.env, ...env } }))

/** Listens to a process that starts a server. All that it prints is read: a full pipe would stop it. */
export function follow(child: ChildProcessWithoutNullStreams): Running {
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      said += String(chunk)
    })
  }
  const exit = once(child, 'exit')
  const isOver = () => child.exitCode !== null || child.signalCode !== null
  const ended = async (): Promise<number | null> => (await exit)[0]
  return {
    child,
    said: () => said,
    async address() {
      const printed = () => LISTENS.exec(said)?.[1] ?? ''
      await until(() => printed() !== '' || isOver())
      if (printed() === '') throw new Error(`It did not start: ${said}`)
      return printed()
    },
    ended,
    stop(signal = 'SIGTERM') {
      if (!isOver()) child.kill(signal)
      return ended()
    },
  }
}
