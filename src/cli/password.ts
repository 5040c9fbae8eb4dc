/** Reads a password for a command: typed twice without echo, or piped in. Never an argument, which other users can see. */
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { UsageError } from './error-message.ts'

export async function readNewPassword({ fromInput }: { readonly fromInput: boolean }): Promise<string> {
  // The trailing line break that most commands print is not part of the password.
  if (fromInput) return (await text(process.stdin)).replace(/\r?\n$/, '')
  if (!process.stdin.isTTY)
    throw new UsageError(
      'Cannot prompt for the password without a terminal. Pipe it in with --password-stdin.',
    )
  const password = await prompt('Password: ')
  if ((await prompt('Repeat password: ')) !== password) throw new UsageError('The passwords do not match.')
  return password
}

/** Asks for the key of an encrypted file, without echo. */
export async function readKey(file: string): Promise<string> {
  if (!process.stdin.isTTY) throw new UsageError(`${file} is encrypted: pass its key with --key.`)
  return prompt(`Key of ${file}: `)
}

async function prompt(question: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  // With `terminal: true` readline handles the echo, and the output discards it.
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
