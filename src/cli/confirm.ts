/** Asks for confirmation before something that cannot be undone. */
import { createInterface } from 'node:readline/promises'
import { UsageError } from './error-message.ts'

interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean }
  readonly output: NodeJS.WritableStream
}

/** Without a terminal it throws and names the option that skips the question. */
export async function confirm(
  question: string,
  { yes = false }: { readonly yes?: boolean },
  { input, output }: Terminal = { input: process.stdin, output: process.stderr },
): Promise<void> {
  if (yes) return
  if (!input.isTTY) throw new UsageError(`${question}\nAdd --yes to confirm.`)
  const terminal = createInterface({ input, output })
  try {
    const answer = await terminal.question(`${question} (yes/no) `).catch(declineOnAbort)
    if (answer.trim().toLowerCase() !== 'yes') throw new UsageError('Nothing was changed.')
  } finally {
    terminal.close()
  }
}

/** Ctrl-C and Ctrl-D leave the cursor on the line of the question. */
function declineOnAbort(failure: unknown): never {
  if (failure instanceof Error && failure.name === 'AbortError')
    throw new UsageError('\nNothing was changed.')
  throw failure
}
