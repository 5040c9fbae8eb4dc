/** A server on a copy of the recorded project, in a process of its own: both ends, the one that starts it and the one that serves. */
import { type ChildProcess, type ForkOptions, fork } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer, type OctavoServer, type ServerOptions } from '../../src/http/app.ts'
import { PROJECT } from './recording.ts'

export type Message = Readonly<Record<string, unknown>>

export interface ServerProcess {
  readonly child: ChildProcess
  /** What it has told when it began to listen. */
  readonly told: Message
  /** Why it has ended, or null while it runs. */
  ended(): string | null
  /** Ends it, unless it has ended by itself, and removes its copy of the project. */
  stop(): Promise<void>
}

/** Starts a script that calls `openForParent`, and waits for its first message. */
export async function startProcess(
  script: URL,
  databaseUrl: string,
  options: ForkOptions,
): Promise<ServerProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-process-'))
  cpSync(PROJECT, folder, { recursive: true })
  const child = fork(script, [folder, databaseUrl], options)
  const exit = once(child, 'exit')
  let ended: string | null = null
  child.once('exit', (code, signal) => {
    ended = `the process ended with ${code ?? signal}`
  })
  const stop = async () => {
    if (ended === null) {
      child.disconnect()
      await exit
    }
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    return { child, told: await nextMessage(child), ended: () => ended, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The next message of a process; fails when it ends before. */
export function nextMessage(child: ChildProcess): Promise<Message> {
  return new Promise((resolve, reject) => {
    const gone = (code: number | null) => reject(new Error(`The server ended with ${code}`))
    child.once('exit', gone)
    child.once('message', (message) => {
      child.off('exit', gone)
      resolve(Object(message))
    })
  })
}

/** Opens the server that `startProcess` asks for. It closes with its parent, and takes any number of sign-ins. */
export async function openForParent({
  config,
  ...options
}: Omit<ServerOptions, 'project'>): Promise<OctavoServer> {
  const [project, databaseUrl] = process.argv.slice(2)
  if (!project || !databaseUrl) throw new Error('Expected a project and the url of a database')
  const plenty = 1_000_000_000
  const server = await createServer({
    ...options,
    project,
    config: {
      ...config,
      server: { port: 0 },
      database: { url: databaseUrl },
      rateLimit: { signIn: { windowSeconds: 1, perIdentifier: plenty, perAddress: plenty } },
    },
  })
  process.on('disconnect', () => void server.close())
  return server
}
