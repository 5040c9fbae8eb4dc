/** The validation problems of a body, collected so that one error lists them all. */
import { errors, type FieldProblem } from '../../errors.ts'

export type Path = readonly string[]

const INDEX = /^\d+$/

/** A path as text: `menu[1].title`. */
export const pathText = (path: Path) =>
  path.reduce((text, step) => (INDEX.test(step) ? `${text}[${step}]` : text ? `${text}.${step}` : step), '')

export class Problems {
  readonly #found: Map<string, FieldProblem>

  /** Starts with a copy of earlier problems. */
  constructor(earlier?: Problems) {
    this.#found = new Map(earlier ? earlier.#found : [])
  }

  /** Adds a problem; the path precedes `message`. Only the first problem of each path is kept. */
  add(path: Path, message: string, value?: unknown) {
    const key = pathText(path)
    if (this.#found.has(key)) return
    const text = `${key || 'data'} ${message}`
    this.#found.set(key, value === undefined ? { path, message: text } : { path, message: text, value })
  }

  get list(): readonly FieldProblem[] {
    return [...this.#found.values()]
  }

  get isEmpty() {
    return this.#found.size === 0
  }

  get all(): readonly FieldProblem[] {
    return [...this.#found.values()]
  }

  /** The same problems, without values that the caller has not sent. */
  withoutValues(): Problems {
    const problems = new Problems()
    for (const [key, { path, message }] of this.#found) problems.#found.set(key, { path, message })
    return problems
  }

  /** Throws one ValidationError with all problems. */
  throwIfAny() {
    if (!this.isEmpty) throw errors.invalidValues(this.all)
  }
}
