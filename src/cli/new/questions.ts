/** Questions on the terminal, answered by a person or by lines that are piped in; no answer is the default. */
import { createInterface } from 'node:readline/promises'
import { UsageError } from '../error-message.ts'

export interface Questions {
  /** Asks until `check` finds nothing wrong with the answer; wrong input that nobody can correct ends the command. */
  ask(question: string, usual: string, check: (answer: string) => string | null): Promise<string>
  close(): void
}

export function createQuestions(): Questions {
  const terminal = createInterface({ input: process.stdin })
  const lines = terminal[Symbol.asyncIterator]()
  return {
    async ask(question, usual, check) {
      for (;;) {
        process.stderr.write(`${question} (${usual}) `)
        const line = await lines.next()
        const answer = line.done ? usual : line.value.trim() || usual
        const problem = check(answer)
        if (problem === null) return answer
        if (line.done || !process.stdin.isTTY) throw new UsageError(problem)
        process.stderr.write(`${problem}\n`)
      }
    },
    close: () => terminal.close(),
  }
}
