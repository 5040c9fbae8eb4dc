/** Writes generated text to a file or to standard output. */
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Option } from 'commander'
import { messageOf } from '../errors.ts'
import { UsageError } from './error-message.ts'

export interface OutOptions {
  readonly out?: string
}

export const outOption = () => new Option('--out <file>', 'file to write; default: standard output')

export async function writeOut(text: string, { out }: OutOptions): Promise<void> {
  if (out === undefined) {
    process.stdout.write(text)
    return
  }
  try {
    await mkdir(path.dirname(path.resolve(out)), { recursive: true })
    await writeFile(out, text)
  } catch (failure) {
    throw new UsageError(`Cannot write ${out}: ${messageOf(failure)}`)
  }
  process.stderr.write(`Wrote ${out}\n`)
}
