/** The command itself: runs what the arguments ask for; what goes wrong becomes one message and exit code 1. */
import { explain } from './error-message.ts'
import { createProgram } from './program.ts'

try {
  const program = await createProgram(process.argv[2])
  await program.parseAsync(process.argv)
} catch (error) {
  process.stderr.write(`${explain(error)}\n`)
  process.exitCode = 1
}
