/** The command itself: runs what the arguments ask for; what goes wrong becomes one message and exit code 1. */
import { explain } from './explain.ts'
import { createProgram } from './program.ts'

try {
  await createProgram().parseAsync(process.argv)
} catch (error) {
  process.stderr.write(`${explain(error)}\n`)
  process.exitCode = 1
}
