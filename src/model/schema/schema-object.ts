/** Typed access to schema JSON of unknown shape. Problems are collected, so that reading continues after each. */
import type { ProjectProblem } from '../../project/problems.ts'
import { nearest } from '../../project/suggest.ts'
import { isObject, type Values } from '../../project/values.ts'

/** A JSON object of a schema file, with its path and the list that its problems are added to. */
export class SchemaObject {
  readonly file: string
  readonly path: string
  /** Whether the value is not an object. The problem is reported already. */
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

  /** Reports a problem with this object or one of its keys. */
  report(message: string, key?: string) {
    const path = key === undefined ? this.path : this.#at(key)
    this.#problems.push({ file: this.file, path, message })
  }

  keys() {
    return Object.keys(this.#values)
  }

  /** Reports keys that look like a misspelled known key. Other unknown keys may belong to other tools. */
  checkSpelling(known: readonly string[]) {
    for (const key of this.keys()) {
      const meant = known.includes(key) ? null : nearest(key, known)
      if (meant !== null) this.report(`unknown key "${key}"; did you mean "${meant}"?`)
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
    return this.#typed(key, (value) => typeof value === 'string', 'must be a string')
  }

  number(key: string): number | null {
    const value = this.value(key)
    // Bounds of big integers are often written as strings.
    if (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)) return Number(value)
    return this.#typed(key, (v) => typeof v === 'number', 'must be a number')
  }

  /** Like `number`, but an integer written as a string keeps all its digits. */
  exactNumber(key: string): number | bigint | null {
    const value = this.value(key)
    const isInteger = typeof value === 'string' && /^-?\d+$/.test(value)
    return isInteger && !Number.isSafeInteger(Number(value)) ? BigInt(value) : this.number(key)
  }

  /** An integer that is not negative. */
  count(key: string): number | null {
    return this.#typed(
      key,
      (value): value is number => typeof value === 'number' && Number.isInteger(value) && value >= 0,
      'must be an integer of 0 or more',
    )
  }

  boolean(key: string, byDefault = false): boolean {
    return (
      this.#typed(key, (value): value is boolean => typeof value === 'boolean', 'must be true or false') ??
      byDefault
    )
  }

  strings(key: string): readonly string[] | null {
    return this.#typed(
      key,
      (value): value is string[] => Array.isArray(value) && value.every((item) => typeof item === 'string'),
      'must be an array of strings',
    )
  }

  /** The object at a key; an empty one when absent. */
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
