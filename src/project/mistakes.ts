/** Mistakes in a project folder: collected, then told all at once. */

export interface Mistake {
  /** The file, relative to the project folder; or where else the value came from, such as an environment variable. */
  readonly file: string
  /** Where in the file, dotted; '' for the file as a whole. */
  readonly path: string
  readonly message: string
}

/** One line for a person: file, path and what is wrong. */
export const mistakeLine = ({ file, path, message }: Mistake) =>
  path === '' ? `${file}: ${message}` : `${file}: ${path}: ${message}`

/** A project that cannot be served, with every mistake found in it. */
export class ProjectError extends Error {
  override readonly name = 'ProjectError'
  readonly mistakes: readonly Mistake[]

  constructor(dir: string, mistakes: readonly Mistake[]) {
    const count = mistakes.length === 1 ? 'There is a mistake' : `There are ${mistakes.length} mistakes`
    super(
      `${count} in the project ${dir}\n${mistakes.map((mistake) => `  ${mistakeLine(mistake)}`).join('\n')}`,
    )
    this.mistakes = mistakes
  }
}
