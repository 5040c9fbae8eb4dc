/**
 * The test command: starts one PostgreSQL server for the whole run, then node's test runner over the files or globs
 * given as arguments (all tests when there are none), and stops the server whatever happens.
 */
import { spawn } from 'node:child_process'
import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { messageOf } from '../src/errors.ts'
import { startOwnPostgres } from './support/postgres.ts'

const ALL_TESTS = ['src/**/*.test.ts', 'test/**/*.test.ts']

/** Runs the tests and answers with the exit code of the runner. */
function runTests(
  options: readonly string[],
  files: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<number> {
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
    { stdio: 'inherit', env: { ...process.env, ...env } },
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
const postgres = await startOwnPostgres({
  // A test database need not survive a power cut.
  settings: ['fsync=off', 'full_page_writes=off', 'max_connections=400', 'shared_buffers=64MB'],
  initialise: ['--no-sync'],
}).catch((error: unknown) => {
  process.stderr.write(`${messageOf(error)}\n`)
  process.exit(1)
})
// Every file of tests is a process of its own, and they compile the same sources: once is enough.
const compiled = mkdtempSync(join(tmpdir(), 'octavo-compiled-'))
let code = 1
try {
  code = await runTests(options, files.sort(), {
    OCTAVO_TEST_POSTGRES: postgres.url('postgres'),
    NODE_COMPILE_CACHE: compiled,
  })
} finally {
  await postgres.stop()
  rmSync(compiled, { recursive: true, force: true, maxRetries: 3 })
}
process.exit(code)
