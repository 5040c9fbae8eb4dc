/** Asks questions on the terminal. Input can also be piped; an empty line selects the default. */
import { createInterface } from 'node:readline/promises'
import { UsageError } from '../error-message.ts'

export interface Prompt {
  /** Asks until `check` accepts the input. Invalid piped input fails. */
  ask(question: string, byDefault: string, check: (answer: string) => string | null): Promise<string>
  close(): void
}

export function createPrompt(): Prompt {
  const terminal = createInterface({ input: process.stdin })
  const lines = terminal[Symbol.asyncIterator]()
  return {
    async ask(question, byDefault, check) {
      for (;;) {
        process.stderr.write(`${question} (${byDefault}) `)
        const line = await lines.next()
        const answer = line.done ? byDefault : line.value.trim() || byDefault
        const problem = check(answer)
        if (problem === null) return answer
        if (line.done || !process.stdin.isTTY) throw new UsageError(problem)
        process.stderr.write(`${problem}\n`)
      }
    },
    close: () => terminal.close(),
  }
}
