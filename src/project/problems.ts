/** Problems in a project folder. Reading continues after each one, so that all of them are reported together. */

export interface ProjectProblem {
  /** The file, relative to the project folder, or another source of the value such as an environment variable. */
  readonly file: string
  /** Dotted path inside the file; '' for the file itself. */
  readonly path: string
  readonly message: string
}

/** One line: file, path and message. */
export const formatProblem = ({ file, path, message }: ProjectProblem) =>
  path === '' ? `${file}: ${message}` : `${file}: ${path}: ${message}`

/** Thrown for a project that cannot be served; lists every problem found in it. */
export class ProjectError extends Error {
  override readonly name = 'ProjectError'
  readonly problems: readonly ProjectProblem[]

  constructor(dir: string, problems: readonly ProjectProblem[]) {
    const count = problems.length === 1 ? '1 error' : `${problems.length} errors`
    const lines = problems.map((problem) => `  ${formatProblem(problem)}`)
    super(`${count} in project ${dir}\n${lines.join('\n')}`)
    this.problems = problems
  }
}
