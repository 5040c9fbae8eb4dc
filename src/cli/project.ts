/** The project that a command works on. A folder that holds none is refused before anything is written to it. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { loadProject, type Project } from '../model/load-project.ts'
import { UsageError } from './error-message.ts'
import { type ProjectOptions, settingsOf } from './options.ts'

/** A folder that is no project, and what to do about it. */
export class NoProject extends UsageError {
  readonly reason: string
  readonly remedy: string

  constructor(dir: string) {
    const reason = `There is no project in ${dir}: it has neither content-types (src/api), nor config, nor octavo.config.*`
    const remedy = 'name the folder of a project with --project, or make a new one with: octavo new'
    super(`${reason}\n  ${remedy}`)
    this.reason = reason
    this.remedy = remedy
  }
}

/** Loads the project that the options name. */
export async function projectOf(options: ProjectOptions): Promise<Project> {
  refuseOther(path.resolve(options.project))
  return loadProject(options.project, process.env, settingsOf(options))
}

/** Any of these makes a folder a project, be it empty; the last is what a server leaves in one. */
const MARKS = ['src/api', 'src/components', 'src/extensions', 'config', '.octavo']

/**
 * Refuses a folder that holds something else than a project; an empty one may become a project. Whether it is there at
 * all, and can be read, is asked and told when it is loaded.
 */
function refuseOther(dir: string): void {
  if (!existsSync(dir) || !statSync(dir).isDirectory()) return
  const names = namesIn(dir)
  const isMarked = MARKS.some((mark) => existsSync(path.join(dir, mark)))
  if (names.length === 0 || isMarked || names.some((name) => name.startsWith('octavo.config.'))) return
  throw new NoProject(dir)
}

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir)
  } catch {
    return []
  }
}
