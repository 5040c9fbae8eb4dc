/** Runs the `octavo` command in a child process: to completion, or serving until it is stopped. */
import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'

export const COMMAND = path.join(import.meta.dirname, '../../bin/octavo.js')

export interface CommandResult {
  readonly code: number
  readonly out: string
  readonly err: string
}

export interface CommandOptions {
  readonly env?: NodeJS.ProcessEnv
  /** Standard input. */
  readonly input?: string
}

/** Runs `octavo` to completion. */
export function octavo(
  args: readonly string[],
  { env, input = '' }: CommandOptions = {},
): Promise<CommandResult> {
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

export interface RunningCommand {
  readonly child: ChildProcessWithoutNullStreams
  /** Everything printed so far, standard output and standard error together. */
  output(): string
  /** The address it listens on, once it has printed that; rejects when the process exits before. */
  address(): Promise<string>
  /** Resolves with the exit code; null when a signal ended the process. */
  exit(): Promise<number | null>
  /** Sends a signal, unless the process has exited, and waits for the exit. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

/** What `start`, `dev` and the demo print. The `\D` makes sure that the whole port has arrived. */
const LISTENING_LINE = /Octavo (?:listens on|is listening on|is serving .* at) (http:\/\/[\d.]+:\d+)\D/

/** Starts `octavo` and returns immediately. */
export const launch = (args: readonly string[], env: NodeJS.ProcessEnv = {}): RunningCommand =>
  trackProcess(spawn(process.execPath, [COMMAND, ...args], { env: { ...process.env, ...env } }))

/** Tracks a process that starts a server. Its output is always read: a full pipe would block it. */
export function trackProcess(child: ChildProcessWithoutNullStreams): RunningCommand {
  let printed = ''
  const listening = Promise.withResolvers<string>()
  // Not every caller waits for the address, and a failed start must not be an unhandled rejection.
  listening.promise.catch(() => {})
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      printed += String(chunk)
      const address = LISTENING_LINE.exec(printed)?.[1]
      if (address !== undefined) listening.resolve(address)
    })
  }
  const exited = once(child, 'exit')
  child.once('close', () => listening.reject(new Error(`The server did not start: ${printed}`)))
  const hasExited = () => child.exitCode !== null || child.signalCode !== null
  const exit = async (): Promise<number | null> => (await exited)[0]
  return {
    child,
    output: () => printed,
    address: () => listening.promise,
    exit,
    stop(signal = 'SIGTERM') {
      if (!hasExited()) child.kill(signal)
      return exit()
    },
  }
}
