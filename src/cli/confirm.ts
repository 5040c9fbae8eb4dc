/** A question that must be answered with yes before something is done that cannot be undone. */
import { createInterface } from 'node:readline/promises'
import { UsageError } from './error-message.ts'

/** Asks on the terminal; where nobody can answer, says which option answers beforehand. */
export async function confirm(question: string, { yes = false }: { readonly yes?: boolean }): Promise<void> {
  if (yes) return
  if (!process.stdin.isTTY) throw new UsageError(`${question}\nAdd --yes to do it without being asked.`)
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await terminal.question(`${question} (yes/no) `)
    if (answer.trim().toLowerCase() !== 'yes') throw new UsageError('Nothing was changed.')
  } finally {
    terminal.close()
  }
}
