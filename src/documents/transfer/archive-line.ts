/** Reads a line of an archive. An archive may have been edited by hand, so every field is checked. */
import { isObject, type Values } from '../../project/values.ts'

export type Fields = Values

/** The archive cannot be imported; the message says why and where. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError'
}

const WITHOUT_NUL = /^[^\0]*$/s
export const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
export const DOCUMENT_ID = /^[A-Za-z0-9_-]{1,64}$/

/** The fields of a line, or of an object inside it. Reading a field throws an ArchiveError unless it has the right type. */
export class ArchiveLine {
  readonly fields: Fields
  readonly #at: string

  constructor(fields: unknown, at: string) {
    this.#at = at
    if (!isObject(fields)) throw this.error('is not an object')
    this.fields = fields
  }

  error(message: string): ArchiveError {
    return new ArchiveError(`${this.#at} of the archive ${message}`)
  }

  get kind(): string {
    return this.string('kind')
  }

  string(name: string, pattern: RegExp = WITHOUT_NUL): string {
    const value = this.fields[name]
    if (typeof value === 'string' && pattern.test(value) && value.isWellFormed()) return value
    throw this.invalid(name)
  }

  stringOrNull(name: string, pattern?: RegExp): string | null {
    return this.#isAbsent(name) ? null : this.string(name, pattern)
  }

  /** An integer that is at least `min`. */
  integer(name: string, min = 0): number {
    const value = this.number(name)
    if (Number.isSafeInteger(value) && value >= min) return value
    throw this.invalid(name)
  }

  number(name: string): number {
    const value = this.fields[name]
    if (typeof value === 'number' && Number.isFinite(value)) return value
    throw this.invalid(name)
  }

  boolean(name: string): boolean {
    const value = this.fields[name]
    if (typeof value === 'boolean') return value
    throw this.invalid(name)
  }

  /** The object in a field; an empty one if the field is missing. */
  object(name: string): ArchiveLine {
    return new ArchiveLine(
      this.#isAbsent(name) ? {} : this.fields[name],
      `${name} of ${this.#at.toLowerCase()}`,
    )
  }

  invalid(name: string): ArchiveError {
    return this.error(`has a missing or invalid ${name}`)
  }

  #isAbsent(name: string): boolean {
    return this.fields[name] === null || this.fields[name] === undefined
  }
}

/** Collects the content-types, components and attributes of an archive that the project does not have. */
export interface UnknownNames {
  add(name: string): void
}
