/** Entry point of the command line. An error becomes a message on standard error and exit code 1. */
import { explain } from './error-message.ts'
import { createProgram } from './program.ts'

try {
  const program = await createProgram(process.argv.slice(2))
  await program.parseAsync(process.argv)
} catch (error) {
  process.stderr.write(`${explain(error)}\n`)
  process.exitCode = 1
}
