/**
 * The test command: `npm test -- [--fast] [file or glob]... [option of node's test runner]...`
 *
 * Starts one PostgreSQL server for the whole run, runs node's test runner, and always stops the server. Without a file
 * or glob it runs every test. `--fast` runs those that finish within 90 seconds on two cores.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { messageOf } from '../src/errors.ts'
import { parseArguments, testFiles } from './select-files.ts'
import { buildAdminIfStale } from './support/admin-build.ts'
import { startOwnPostgres } from './support/postgres.ts'

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
      // One more than there are cores, because tests also wait for disks, timers and databases.
      `--test-concurrency=${availableParallelism() + 1}`,
      '--test-reporter=spec',
      '--test-timeout=900000',
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

// The handlers keep the process alive through Ctrl-C until the server has stopped.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
const postgres = await startOwnPostgres({
  // A test database need not survive a power cut.
  settings: ['fsync=off', 'full_page_writes=off', 'max_connections=400', 'shared_buffers=64MB'],
  initialise: ['--no-sync'],
}).catch((error: unknown) => {
  process.stderr.write(`${messageOf(error)}\n`)
  process.exit(1)
})
// Each test file runs in its own process; the compile cache spares all but the first compiling the same sources.
const compileCache = mkdtempSync(join(tmpdir(), 'octavo-compiled-'))
let code = 1
try {
  code = await runTests(options, files, {
    OCTAVO_TEST_POSTGRES: postgres.url('postgres'),
    // Hashing passwords safely would take a fifth of the time of all tests. `password.slow.test.ts` uses the default.
    OCTAVO_AUTH_PASSWORD_MEMORY: '8',
    NODE_COMPILE_CACHE: compileCache,
  })
} finally {
  await postgres.stop()
  rmSync(compileCache, { recursive: true, force: true, maxRetries: 3 })
}
process.exit(code)
