/** Kinds of settings: what a value must be, and how it is written in an environment variable. */
import { didYouMean } from '../suggest.ts'
import { isObject, type Values } from '../values.ts'

export type Note = (path: string, message: string) => void

/** A setting whose value is a `T` once `check` has found nothing. */
export interface Setting<T> {
  /** Notes everything that is wrong with a value. */
  readonly check: (value: unknown, path: string, note: Note) => void
  /** A value from text; undefined when the text is none. Null for settings that no variable can hold. */
  readonly read: ((text: string) => unknown) | null
  /** The settings inside a section; sections of several sources are merged, everything else is replaced. */
  readonly inner: Readonly<Record<string, Setting<unknown>>> | null
  /** Whether a section also accepts sections that are not in `inner`; the code that uses them checks them. */
  readonly isOpen?: boolean
  /** Never there: it ties the kind to its type. */
  readonly of?: T
}

const under = (path: string, key: string) => (path === '' ? key : `${path}.${key}`)

function plain<T>(message: string, is: (value: unknown) => boolean, read: Setting<T>['read']): Setting<T> {
  return {
    check: (value, path, note) => {
      if (!is(value)) note(path, message)
    },
    read,
    inner: null,
  }
}

export const text: Setting<string> = plain(
  'must be a text',
  (value) => typeof value === 'string',
  (word) => word,
)

const wholeNumber = (message: string, least: number, most = Number.MAX_SAFE_INTEGER): Setting<number> =>
  plain(
    message,
    (value) => Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most,
    (word) => (/^\d{1,15}$/.test(word) ? Number(word) : undefined),
  )

export const count = wholeNumber('must be a whole number of 0 or more', 0)

/** A count of something that there must be. */
export const amount = wholeNumber('must be a whole number of 1 or more', 1)

export const between = (least: number, most: number): Setting<number> =>
  wholeNumber(`must be a whole number from ${least} to ${most}`, least, most)

export const flag: Setting<boolean> = plain(
  'must be true or false',
  (value) => typeof value === 'boolean',
  (word) =>
    new Map([
      ['true', true],
      ['1', true],
      ['false', false],
      ['0', false],
    ]).get(word),
)

export const texts: Setting<readonly string[]> = plain(
  'must be a list of texts',
  (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
  (words) =>
    words
      .split(',')
      .map((word) => word.trim())
      .filter((word) => word !== ''),
)

/** Width and height. */
export const size: Setting<readonly [number, number]> = plain(
  'must be a list of a width and a height',
  (value) =>
    Array.isArray(value) && value.length === 2 && value.every((side) => Number.isInteger(side) && side > 0),
  null,
)

/** Any object; whoever uses it looks into it. */
export const anything: Setting<Values> = plain('must be an object', isObject, null)

export const oneOf = <T extends string>(...words: readonly T[]): Setting<T> =>
  plain(
    `must be one of ${words.join(', ')}`,
    (value) => words.some((word) => word === value),
    (text) => words.find((word) => word === text),
  )

export const nullable = <T>(setting: Setting<T>): Setting<T | null> => ({
  check: (value, path, note) => {
    if (value !== null) setting.check(value, path, note)
  },
  read: setting.read,
  inner: null,
})

/** A word that stands for itself, else the setting. */
export const wordOr = <W extends string, T>(word: W, setting: Setting<T>): Setting<W | T> => ({
  check: (value, path, note) => {
    if (value !== word) setting.check(value, path, note)
  },
  read: (text) => (text === word ? word : setting.read?.(text)),
  inner: null,
})

/** A text, or else the setting. */
export const textOr = <T>(setting: Setting<T>): Setting<string | T> => ({
  check: (value, path, note) => {
    if (typeof value !== 'string') setting.check(value, path, note)
  },
  read: null,
  inner: null,
})

export const list = <T>(item: Setting<T>, what: string): Setting<readonly T[]> => ({
  check: (value, path, note) => {
    if (!Array.isArray(value)) return note(path, `must be a list of ${what}`)
    for (const [index, inner] of value.entries()) item.check(inner, under(path, String(index)), note)
  },
  read: null,
  inner: null,
})

/** An object whose keys are the project's own words. */
export const record = <T>(item: Setting<T>, what: string): Setting<Readonly<Record<string, T>>> => ({
  check: (value, path, note) => {
    if (!isObject(value)) return note(path, `must be an object of ${what}`)
    for (const [key, inner] of Object.entries(value)) item.check(inner, under(path, key), note)
  },
  read: null,
  inner: null,
})

type Kinds<T> = { readonly [K in keyof T]-?: Setting<T[K]> }

/** Notes which of these keys an object lacks. */
export const required =
  (...keys: readonly string[]) =>
  (value: Values, path: string, note: Note) => {
    for (const key of keys) if (value[key] === undefined) note(under(path, key), 'is required')
  }

/** An object of known keys. `also` looks at the whole once its parts are right. */
export function section<T>(
  inner: Kinds<T>,
  also?: (value: Values, path: string, note: Note) => void,
): Setting<T> {
  return sectionOf(inner, { also, isOpen: false })
}

/** A section that also accepts other sections by any name. */
export const openSection = <T>(inner: Kinds<T>): Setting<T & { readonly [name: string]: unknown }> =>
  sectionOf(inner, { also: undefined, isOpen: true })

interface SectionOptions {
  readonly also: ((value: Values, path: string, note: Note) => void) | undefined
  readonly isOpen: boolean
}

function sectionOf(inner: object, { also, isOpen }: SectionOptions) {
  const kinds = new Map<string, Setting<unknown>>(Object.entries(inner))
  return {
    check: (value: unknown, path: string, note: Note) => {
      if (!isObject(value)) return note(path, 'must be an object')
      for (const [key, part] of Object.entries(value)) {
        const kind = kinds.get(key)
        if (!kind && isOpen && (isObject(part) || part === null)) continue
        if (!kind) note(under(path, key), `there is no setting "${key}"${didYouMean(key, kinds.keys())}`)
        else if (part !== undefined) kind.check(part, under(path, key), note)
      }
      also?.(value, path, note)
    },
    read: null,
    inner: Object.fromEntries(kinds),
    isOpen,
  }
}
