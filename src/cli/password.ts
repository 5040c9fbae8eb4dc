/** A password for a command: typed twice on a terminal that does not show it, or piped in. Never an argument, which others can see. */
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { UsageError } from './error-message.ts'

/** Asks for a new password, or reads it from the standard input. */
export async function newPassword({ fromInput }: { readonly fromInput: boolean }): Promise<string> {
  // Commands that print a password end it with a line break, which is not part of it.
  if (fromInput) return (await text(process.stdin)).replace(/\r?\n$/, '')
  if (!process.stdin.isTTY)
    throw new UsageError('There is no terminal to ask for the password on. Pipe it in with --password-stdin.')
  const password = await ask('Password: ')
  if ((await ask('Again: ')) !== password) throw new UsageError('The two passwords are not the same.')
  return password
}

async function ask(question: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  // As a terminal, so that it takes over from the terminal of the system, which would show what is typed.
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true })
  const stopped = Promise.withResolvers<never>()
  terminal.on('SIGINT', () => stopped.reject(new UsageError('Nothing was changed.')))
  terminal.on('close', () => stopped.reject(new UsageError('Nothing was changed.')))
  process.stderr.write(question)
  try {
    return await Promise.race([terminal.question(''), stopped.promise])
  } finally {
    terminal.close()
    process.stderr.write('\n')
  }
}
