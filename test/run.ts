/**
 * The test command: `npm test -- [--fast] [file or glob]... [option of node's test runner]...`
 *
 * Starts one PostgreSQL server for the whole run, and one of the oldest version if a file needs it, runs node's test
 * runner, and always stops the servers. Without a file or glob it runs every test. `--fast` runs those that finish within
 * 90 seconds on two cores.
 */
import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { findChromium } from '../admin/test/support/chromium.ts'
import { messageOf } from '../src/errors.ts'
import { writeProcesses } from './processes.ts'
import { needsBrowser, needsOldestPostgres, parseArguments, testFiles } from './select-files.ts'
import { buildAdminIfStale } from './support/admin-build.ts'
import { type OwnPostgres, startOwnPostgres } from './support/postgres.ts'
import type { PostgresVersion } from './support/postgres-process.ts'
import { createTemplates } from './support/template-databases.ts'
import { createTemporaryFolder } from './support/temporary-folder.ts'

/** Runs the tests and returns the exit code of the runner. */
function runTests(
  options: readonly string[],
  files: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const child = spawn(
    process.execPath,
    [
      '--test',
      // Four more than there are cores, because tests also wait for disks, timers and databases.
      `--test-concurrency=${availableParallelism() + 4}`,
      '--test-reporter=spec',
      '--test-timeout=900000',
      `--import=${new URL('support/untracked-promises.ts', import.meta.url)}`,
      ...options,
      ...files,
    ],
    { stdio: 'inherit', env: { ...process.env, ...env } },
  )
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? 1))
  })
}

const { isFast, patterns, options } = parseArguments(process.argv.slice(2))
const files = testFiles(patterns, isFast)
if (files.length === 0) {
  process.stderr.write(`No test file matches ${patterns.join(' ')}\n`)
  process.exit(1)
}

if (files.some((file) => /^(test\/admin|admin\/test)\//.test(file))) await buildAdminIfStale()

// The handlers keep the process alive through Ctrl-C until the servers have stopped.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
const startServer = (version: PostgresVersion) =>
  startOwnPostgres({
    version,
    // A test database need not survive a power cut.
    settings: ['fsync=off', 'full_page_writes=off', 'max_connections=400', 'shared_buffers=64MB'],
    // Checking a password in thousands of iterations takes longer than anything else about a connection. PostgreSQL 15
    // cannot do with fewer.
    flags: ['--no-sync', ...(version === 'newest' ? ['--set=scram_iterations=1'] : [])],
  })
const servers: OwnPostgres[] = []
// Before the temporary folder changes: unpacking Chromium takes longer than most tests.
const chromium = files.some(needsBrowser) ? await findChromium() : null
const folder = createTemporaryFolder()
// Of this process and of all that it starts.
process.env.TMPDIR = folder
let code = 1
try {
  const [newest, oldest] = await Promise.all([
    startServer('newest'),
    files.some(needsOldestPostgres) ? startServer('oldest') : null,
  ])
  servers.push(newest, ...(oldest ? [oldest] : []))
  code = await runTests(options, writeProcesses(files, folder), {
    OCTAVO_TEST_POSTGRES: newest.url('postgres'),
    OCTAVO_TEST_SQLITE_TEMPLATE: await createTemplates(folder, newest.url('postgres')),
    ...(chromium !== null && { CHROME_PATH: chromium }),
    ...(oldest && { OCTAVO_TEST_OLDEST_POSTGRES: oldest.url('postgres') }),
    // Hashing passwords safely would take a fifth of the time of all tests. `password.slow.test.ts` uses the default.
    OCTAVO_AUTH_PASSWORD_MEMORY: '8',
    // Spares all processes but the first compiling the same sources.
    NODE_COMPILE_CACHE: join(folder, 'compiled'),
  })
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`)
} finally {
  for (const server of servers) await server.stop()
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}
process.exit(code)
