/**
 * Kinds of settings: validation of a value, and parsing from an environment variable. Hand-written, because it ties each
 * kind to its TypeScript type, reports all problems with their paths and suggestions, and parses environment variables;
 * TypeBox or Ajv would need all three added.
 */
import { didYouMean } from '../suggest.ts'
import { isObject, type Values } from '../values.ts'

/** Receives a problem with a value. */
export type Report = (path: string, message: string) => void

/** A setting whose value is a `T` if `check` reports nothing. */
export interface Setting<T> {
  readonly check: (value: unknown, path: string, report: Report) => void
  /** Parses an environment variable; undefined if it is invalid. Null for settings that no variable can hold. */
  readonly parse: ((variable: string) => unknown) | null
  /** The settings of a section. Sections of several sources are merged; every other setting is replaced. */
  readonly children: Readonly<Record<string, Setting<unknown>>> | null
  /** Whether a section also accepts sections that are not in `children`; the code that uses them checks them. */
  readonly isOpen?: boolean
  /** Never set: ties the setting to its type. */
  readonly of?: T
}

const joinPath = (path: string, key: string) => (path === '' ? key : `${path}.${key}`)

export function scalar<T>(
  message: string,
  isValid: (value: unknown) => boolean,
  parse: Setting<T>['parse'],
): Setting<T> {
  return {
    check: (value, path, report) => {
      if (!isValid(value)) report(path, message)
    },
    parse,
    children: null,
  }
}

export const string: Setting<string> = scalar(
  'must be a string',
  (value) => typeof value === 'string',
  (variable) => variable,
)

const integer = (message: string, min: number, max = Number.MAX_SAFE_INTEGER): Setting<number> =>
  scalar(
    message,
    (value) => Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max,
    (variable) => (/^\d{1,15}$/.test(variable) ? Number(variable) : undefined),
  )

export const nonNegativeInteger = integer('must be an integer of at least 0', 0)

export const positiveInteger = integer('must be an integer of at least 1', 1)

export const integerBetween = (min: number, max: number): Setting<number> =>
  integer(`must be an integer from ${min} to ${max}`, min, max)

export const boolean: Setting<boolean> = scalar(
  'must be true or false',
  (value) => typeof value === 'boolean',
  (variable) =>
    new Map([
      ['true', true],
      ['1', true],
      ['false', false],
      ['0', false],
    ]).get(variable),
)

export const strings: Setting<readonly string[]> = scalar(
  'must be a list of strings',
  (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
  (variable) =>
    variable
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
)

export const size: Setting<readonly [number, number]> = scalar(
  'must be a list of a width and a height',
  (value) =>
    Array.isArray(value) && value.length === 2 && value.every((side) => Number.isInteger(side) && side > 0),
  null,
)

/** Any object; the code that uses it checks its contents. */
export const anyObject: Setting<Values> = scalar('must be an object', isObject, null)

export const oneOf = <T extends string>(...options: readonly T[]): Setting<T> =>
  scalar(
    `must be one of ${options.join(', ')}`,
    (value) => options.some((option) => option === value),
    (variable) => options.find((option) => option === variable),
  )

export const nullable = <T>(setting: Setting<T>): Setting<T | null> => ({
  check: (value, path, report) => {
    if (value !== null) setting.check(value, path, report)
  },
  parse: setting.parse,
  children: null,
})

/** A number, or an object with more of them; a variable can hold the number. */
export const numberOr = <T>(number: Setting<number>, other: Setting<T>): Setting<number | T> => ({
  check: (value, path, report) => (isObject(value) ? other : number).check(value, path, report),
  parse: number.parse,
  children: null,
})

/** A fixed string, or the setting. */
export const literalOr = <L extends string, T>(literal: L, setting: Setting<T>): Setting<L | T> => ({
  check: (value, path, report) => {
    if (value !== literal) setting.check(value, path, report)
  },
  parse: (variable) => (variable === literal ? literal : setting.parse?.(variable)),
  children: null,
})

/** Any string, or the setting. */
export const stringOr = <T>(setting: Setting<T>): Setting<string | T> => ({
  check: (value, path, report) => {
    if (typeof value !== 'string') setting.check(value, path, report)
  },
  parse: null,
  children: null,
})

export const list = <T>(item: Setting<T>, items: string): Setting<readonly T[]> => ({
  check: (value, path, report) => {
    if (!Array.isArray(value)) return report(path, `must be a list of ${items}`)
    for (const [index, one] of value.entries()) item.check(one, joinPath(path, String(index)), report)
  },
  parse: null,
  children: null,
})

/** An object whose keys the project chooses. */
export const record = <T>(item: Setting<T>, keys: string): Setting<Readonly<Record<string, T>>> => ({
  check: (value, path, report) => {
    if (!isObject(value)) return report(path, `must be an object of ${keys}`)
    for (const [key, one] of Object.entries(value)) item.check(one, joinPath(path, key), report)
  },
  parse: null,
  children: null,
})

type SettingsOf<T> = { readonly [K in keyof T]-?: Setting<T[K]> }
type SectionCheck = (value: Values, path: string, report: Report) => void

/** An object of known keys. `checkSection` runs after the checks of its settings. */
export const section = <T>(settings: SettingsOf<T>, checkSection?: SectionCheck): Setting<T> =>
  sectionOf(settings, { checkSection, isOpen: false })

/** A check for keys that a section must have. */
export const required =
  (...keys: readonly string[]): SectionCheck =>
  (value, path, report) => {
    for (const key of keys) if (value[key] === undefined) report(joinPath(path, key), 'is required')
  }

/** A section that also accepts other sections by any name. */
export const openSection = <T>(settings: SettingsOf<T>): Setting<T & { readonly [name: string]: unknown }> =>
  sectionOf(settings, { checkSection: undefined, isOpen: true })

interface SectionOptions {
  readonly checkSection: SectionCheck | undefined
  readonly isOpen: boolean
}

function sectionOf(settings: object, { checkSection, isOpen }: SectionOptions) {
  const children = new Map<string, Setting<unknown>>(Object.entries(settings))
  return {
    check: (value: unknown, path: string, report: Report) => {
      if (!isObject(value)) return report(path, 'must be an object')
      for (const [key, one] of Object.entries(value)) {
        const child = children.get(key)
        if (!child && isOpen && (isObject(one) || one === null)) continue
        if (!child) report(joinPath(path, key), `unknown setting "${key}"${didYouMean(key, children.keys())}`)
        else if (one !== undefined) child.check(one, joinPath(path, key), report)
      }
      checkSection?.(value, path, report)
    },
    parse: null,
    children: Object.fromEntries(children),
    isOpen,
  }
}

/** A path of the server that is not below one of the paths that are taken. */
export function pathOutside(taken: readonly string[], example: string): Setting<string> {
  const isTaken = new RegExp(`^(${taken.join('|')})(/|$)`)
  return scalar(
    `must be a path such as ${example}, and not below ${taken.join(', ')}`,
    (value) => typeof value === 'string' && /^(\/[a-z0-9_-]+)+$/i.test(value) && !isTaken.test(value),
    (variable) => variable,
  )
}
