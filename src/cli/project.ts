/** Loads the project of a command. A folder that is not a project is rejected before anything is written to it. */

import { existsSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { loadProject, type Project } from '../model/load-project.ts'
import { ownProgram } from '../project/own-command.ts'
import { UsageError } from './error-message.ts'
import { type ProjectOptions, settingsOf } from './options.ts'

export class NotAProjectError extends UsageError {
  readonly reason: string
  readonly remedy: string

  /** `inside`: projects in the folder, as in a repository that has more than the server. */
  constructor(dir: string, inside: readonly string[]) {
    const reason = `${dir} is not a project: it has no content-types (src/api), no config folder and no octavo.config file`
    const remedy =
      inside.length > 0
        ? `pass the project inside it: ${inside.map((folder) => `--project ${folder}`).join(' or ')}`
        : `pass the project folder with --project, or create a project with: ${ownProgram()} new`
    super(`${reason}\n  ${remedy}`)
    this.reason = reason
    this.remedy = remedy
  }
}

export async function projectOf(options: ProjectOptions): Promise<Project> {
  rejectOtherFolder(path.resolve(options.project))
  return loadProject(options.project, process.env, settingsOf(options))
}

/** Any of these makes a folder a project; a server creates the last one. */
const MARKERS = ['src/api', 'src/components', 'src/extensions', 'config', '.octavo']

/**
 * Rejects a folder that contains something other than a project. An empty folder is accepted; a missing or unreadable one
 * is reported when the project is loaded.
 */
export function rejectOtherFolder(dir: string): void {
  if (!existsSync(dir) || !statSync(dir).isDirectory()) return
  const names = listNames(dir)
  const hasMarker = MARKERS.some((marker) => existsSync(path.join(dir, marker)))
  if (names.length === 0 || hasMarker || names.some((name) => name.startsWith('octavo.config.'))) return
  const inside = names
    .map((name) => path.join(dir, name))
    .filter((folder) => existsSync(path.join(folder, 'src/api')))
  throw new NotAProjectError(dir, inside)
}

function listNames(dir: string): string[] {
  try {
    return readdirSync(dir)
  } catch {
    return []
  }
}
