/** Writes the locales of a project to `config/locales.json`. */
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from './config/config.ts'
import { withEnvFile } from './config/env-file.ts'
import { type Environment, variableName } from './config/environment.ts'
import { styledJson, styleOf } from './json-style.ts'

export const LOCALES_FILE = 'config/locales.json'

const CODE_FILES = ['.ts', '.mts', '.js', '.mjs'].map((extension) => `config/locales${extension}`)

/** Why `config/locales.json` does not decide which locales the project has; null if it does. */
export function otherSourceOfLocales(dir: string, env: Environment): string | null {
  const file = CODE_FILES.find((path) => existsSync(join(dir, path)))
  if (file !== undefined) return `The locales are set in ${file}: change them there`
  const variables = withEnvFile(dir, env)
  const name = ['locales.default', 'locales.locales'].map(variableName).find((one) => variables[one])
  if (name !== undefined) return `The locales are set by the environment variable ${name}: change them there`
  return null
}

/** Replaces the file as a whole, with its formatting preserved. */
export async function writeLocales(dir: string, { names, ...locales }: Config['locales']): Promise<void> {
  const path = join(dir, LOCALES_FILE)
  const former = await readFile(path, 'utf8').catch(() => null)
  const hasNames = Object.keys(names).length > 0
  const text = styledJson({ ...locales, ...(hasNames && { names }) }, styleOf(former))
  const temporary = join(dir, 'config', `.${process.pid}-locales.octavo`)
  await mkdir(join(dir, 'config'), { recursive: true })
  try {
    await writeFile(temporary, text)
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}
