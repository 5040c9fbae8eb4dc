/** A server in a child process, on a copy of the recorded project or on files: the functions of the parent and of the child. */
import { type ChildProcess, type ForkOptions, fork } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer, type OctavoServer, type ServerOptions } from '../../src/http/app.ts'
import { type Files, writeFiles } from '../support/project-folder.ts'
import { moveTokensToEnvironment } from '../support/tokens.ts'
import { PROJECT } from './recording.ts'

export type Message = Readonly<Record<string, unknown>>

export interface ServerProcess {
  readonly child: ChildProcess
  /** The message it sends when it listens. */
  readonly firstMessage: Message
  /** Null while it runs. */
  exitReason(): string | null
  /** Stops the process, unless it has exited, and removes its copy of the project. */
  stop(): Promise<void>
}

/** Starts a script that calls `openForParent`, and waits for its first message. Without files, it serves the recorded project. */
export async function startProcess(
  script: URL,
  databaseUrl: string,
  options: ForkOptions,
  files?: Files,
): Promise<ServerProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-process-'))
  if (files) writeFiles(folder, files)
  else cpSync(PROJECT, folder, { recursive: true })
  const env = { ...process.env, ...options.env, ...moveTokensToEnvironment(folder) }
  const child = fork(script, [folder, databaseUrl], { ...options, env })
  const exit = once(child, 'exit')
  let ended: string | null = null
  child.once('exit', (code, signal) => {
    ended = `the process exited with ${code ?? signal}`
  })
  const stop = async () => {
    if (ended === null) {
      child.disconnect()
      await exit
    }
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    return { child, firstMessage: await nextMessage(child), exitReason: () => ended, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Rejects when the process exits first. */
export function nextMessage(child: ChildProcess): Promise<Message> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`The server exited with ${code}`))
    child.once('exit', onExit)
    child.once('message', (message) => {
      child.off('exit', onExit)
      resolve(Object(message))
    })
  })
}

/** Called by the child. The server closes with its parent, and does not limit sign-ins unless it is configured to. */
export async function openForParent({
  config,
  ...options
}: Omit<ServerOptions, 'project'>): Promise<OctavoServer> {
  const [project, databaseUrl] = process.argv.slice(2)
  if (!project || !databaseUrl) throw new Error('Expected a project folder and a database URL')
  const plenty = 1_000_000_000
  const server = await createServer({
    ...options,
    project,
    config: {
      rateLimit: { signIn: { windowSeconds: 1, perIdentifier: plenty, perAddress: plenty } },
      ...config,
      server: { ...config?.server, port: 0 },
      database: { ...config?.database, url: databaseUrl },
    },
  })
  process.on('disconnect', () => void server.close())
  return server
}
