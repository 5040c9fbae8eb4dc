/** Asks for confirmation before something that cannot be undone. */
import { createInterface } from 'node:readline/promises'
import { UsageError } from './error-message.ts'

/** Without a terminal it throws and names the option that skips the question. */
export async function confirm(question: string, { yes = false }: { readonly yes?: boolean }): Promise<void> {
  if (yes) return
  if (!process.stdin.isTTY) throw new UsageError(`${question}\nAdd --yes to confirm.`)
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await terminal.question(`${question} (yes/no) `)
    if (answer.trim().toLowerCase() !== 'yes') throw new UsageError('Nothing was changed.')
  } finally {
    terminal.close()
  }
}
