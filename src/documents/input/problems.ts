/** The wrong values of a body, collected so that one answer names them all. */
import { errors, type FieldProblem } from '../../errors.ts'

export type Path = readonly string[]

const INDEX = /^\d+$/

/** A path as people write it: `menu[1].title`. */
export const written = (path: Path) =>
  path.reduce((text, step) => (INDEX.test(step) ? `${text}[${step}]` : text ? `${text}.${step}` : step), '')

export class Problems {
  readonly #found: Map<string, FieldProblem>

  /** Starts with what another has noted; a transaction that is tried again forgets what the first try noted. */
  constructor(others?: Problems) {
    this.#found = new Map(others ? others.#found : [])
  }

  /** Notes a problem; `message` goes on after the path. The first problem of a path is the one that is told. */
  add(path: Path, message: string, value?: unknown) {
    const key = written(path)
    if (this.#found.has(key)) return
    const whole = `${key || 'data'} ${message}`
    this.#found.set(key, value === undefined ? { path, message: whole } : { path, message: whole, value })
  }

  get none() {
    return this.#found.size === 0
  }

  /** Throws the one ValidationError with everything that was noted. */
  refuse() {
    if (!this.none) throw errors.invalidValues([...this.#found.values()])
  }
}
