/** The name of a project, as its package.json has it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isObject } from './values.ts'

/** Null without a package.json that has a name. The name of the folder may differ from machine to machine. */
export function projectName(dir: string): string | null {
  try {
    const parsed: unknown = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8'))
    return isObject(parsed) && typeof parsed.name === 'string' && parsed.name !== '' ? parsed.name : null
  } catch {
    return null
  }
}
