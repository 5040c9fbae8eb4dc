/** Reading schema JSON of unknown shape: typed access that notes every problem and reads on. */
import type { ProjectProblem } from '../../project/problems.ts'
import { nearest } from '../../project/suggest.ts'
import { isObject, type Values } from '../../project/values.ts'

/** A JSON object of a schema file: its values, where it stands, and the list its problems go to. */
export class SchemaObject {
  readonly file: string
  readonly path: string
  /** Whether there is no object here at all; noted already, and there is nothing to read. */
  readonly isMissing: boolean
  readonly #values: Values
  readonly #problems: ProjectProblem[]

  constructor(value: unknown, file: string, problems: ProjectProblem[], path = '') {
    this.file = file
    this.path = path
    this.#problems = problems
    this.#values = isObject(value) ? value : {}
    this.isMissing = !isObject(value)
    if (this.isMissing) this.report('must be an object')
  }

  /** Notes a problem about this object, or about one of its keys. */
  report(message: string, key?: string) {
    const path = key === undefined ? this.path : this.#at(key)
    this.#problems.push({ file: this.file, path, message })
  }

  keys() {
    return Object.keys(this.#values)
  }

  /** Notes keys that are nearly one of ours. Those of other tools are left alone. */
  checkSpelling(known: readonly string[]) {
    for (const key of this.keys()) {
      const meant = known.includes(key) ? null : nearest(key, known)
      if (meant !== null) this.report(`there is no key "${key}"; did you mean "${meant}"?`)
    }
  }

  has(key: string) {
    return Object.hasOwn(this.#values, key) && this.#values[key] !== undefined && this.#values[key] !== null
  }

  /** The value as it is; undefined when absent or null. */
  value(key: string): unknown {
    return this.has(key) ? this.#values[key] : undefined
  }

  string(key: string): string | null {
    return this.#typed(key, (value) => typeof value === 'string', 'must be a text')
  }

  number(key: string): number | null {
    const value = this.value(key)
    // Bounds of big integers are often written as text.
    if (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)) return Number(value)
    return this.#typed(key, (v) => typeof v === 'number', 'must be a number')
  }

  /** Like `number`; a whole number that is written as text keeps all its digits. */
  exactNumber(key: string): number | bigint | null {
    const value = this.value(key)
    const isWhole = typeof value === 'string' && /^-?\d+$/.test(value)
    return isWhole && !Number.isSafeInteger(Number(value)) ? BigInt(value) : this.number(key)
  }

  /** A count: a whole number that is not negative. */
  count(key: string): number | null {
    return this.#typed(
      key,
      (value): value is number => typeof value === 'number' && Number.isInteger(value) && value >= 0,
      'must be a whole number of 0 or more',
    )
  }

  boolean(key: string): boolean {
    return (
      this.#typed(key, (value): value is boolean => typeof value === 'boolean', 'must be true or false') ??
      false
    )
  }

  strings(key: string): readonly string[] | null {
    return this.#typed(
      key,
      (value): value is string[] => Array.isArray(value) && value.every((item) => typeof item === 'string'),
      'must be a list of texts',
    )
  }

  /** The object under a key; an empty one when absent. */
  object(key: string): SchemaObject {
    return new SchemaObject(this.value(key) ?? {}, this.file, this.#problems, this.#at(key))
  }

  #at(key: string) {
    return this.path === '' ? key : `${this.path}.${key}`
  }

  #typed<T>(key: string, is: (value: unknown) => value is T, message: string): T | null {
    const value = this.value(key)
    if (value === undefined) return null
    if (is(value)) return value
    this.report(message, key)
    return null
  }
}
