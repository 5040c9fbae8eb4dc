/** A line of an archive, read with suspicion: whoever edited the file may have written anything into it. */
import { isObject, type Values } from '../../project/values.ts'

export type Fields = Values

/** An archive that cannot be imported; the message says why and where. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError'
}

const ANYTHING = /^[^\0]*$/s
export const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
export const DOCUMENT_ID = /^[A-Za-z0-9_-]{1,64}$/

/** The fields of a line, or of an object inside it; every way to read one throws an ArchiveError unless it fits. */
export class Line {
  readonly fields: Fields
  readonly #at: string

  constructor(fields: unknown, at: string) {
    this.#at = at
    if (!isObject(fields)) throw this.wrong('is not an object')
    this.fields = fields
  }

  wrong(message: string): ArchiveError {
    return new ArchiveError(`${this.#at} of the archive ${message}`)
  }

  get kind(): string {
    return this.text('kind')
  }

  text(name: string, pattern: RegExp = ANYTHING): string {
    const value = this.fields[name]
    if (typeof value === 'string' && pattern.test(value) && value.isWellFormed()) return value
    throw this.wrong(`has no proper ${name}`)
  }

  textOrNull(name: string, pattern?: RegExp): string | null {
    return this.#isAbsent(name) ? null : this.text(name, pattern)
  }

  /** A whole number that is at least `least`. */
  count(name: string, least = 0): number {
    const value = this.number(name)
    if (Number.isSafeInteger(value) && value >= least) return value
    throw this.wrong(`has no proper ${name}`)
  }

  number(name: string): number {
    const value = this.fields[name]
    if (typeof value === 'number' && Number.isFinite(value)) return value
    throw this.wrong(`has no proper ${name}`)
  }

  boolean(name: string): boolean {
    const value = this.fields[name]
    if (typeof value === 'boolean') return value
    throw this.wrong(`has no proper ${name}`)
  }

  /** The object under a name; an empty one when there is none. */
  object(name: string): Line {
    return new Line(this.#isAbsent(name) ? {} : this.fields[name], `${name} of ${this.#at.toLowerCase()}`)
  }

  #isAbsent(name: string): boolean {
    return this.fields[name] === null || this.fields[name] === undefined
  }
}

/** Gathers what an archive has and the project has not: content-types, components and attributes, by name. */
export interface Unknown {
  note(what: string): void
}
