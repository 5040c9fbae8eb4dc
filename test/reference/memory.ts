/** Remembers the responses of earlier steps by key, and fills in the placeholders that refer to them. */
import type { Json, JsonObject } from './recording.ts'

export class Memory {
  readonly #parent: Memory | undefined
  readonly #responses = new Map<string, JsonObject>()

  /** Each case has its own memory on top of that of the seed, so that cases do not affect each other. */
  constructor(parent?: Memory) {
    this.#parent = parent
  }

  /** Remembers the document, user or list of a response; the items of a list as `key.0`, `key.1`, … */
  remember(key: string, body: Json) {
    const subject = isObject(body) ? (body.data ?? body.user ?? body) : body
    const items = Array.isArray(subject) ? subject : [subject]
    if (Array.isArray(subject)) {
      for (const [index, item] of subject.entries()) this.#put(`${key}.${index}`, item)
    }
    const jwt = isObject(body) && body.jwt !== undefined ? { jwt: body.jwt } : {}
    const first = items[0]
    if (isObject(first)) this.#put(key, { ...first, ...jwt })
  }

  #put(key: string, value: Json | undefined) {
    if (isObject(value)) this.#responses.set(key, value)
  }

  find(key: string): JsonObject | undefined {
    return this.#responses.get(key) ?? this.#parent?.find(key)
  }

  /** The first key of each remembered document, by documentId. */
  keysByDocument(): Map<string, string> {
    const keys = this.#parent?.keysByDocument() ?? new Map<string, string>()
    for (const [key, { documentId }] of this.#responses) {
      if (typeof documentId === 'string' && !keys.has(documentId))
        keys.set(documentId, key.replace(/\.\d+$/, ''))
    }
    return keys
  }

  /** Fills in every placeholder. A string that is nothing but a placeholder is replaced by the value, whatever its type. */
  fill(value: Json): Json {
    if (typeof value === 'string') {
      const whole = /^\{\{([^{}]+)\}\}$/.exec(value)?.[1]
      return whole === undefined ? this.fillText(value) : this.#lookUp(whole)
    }
    if (Array.isArray(value)) return value.map((item) => this.fill(item))
    if (isObject(value)) {
      return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, this.fill(child)]))
    }
    return value
  }

  fillText(text: string): string {
    return text.replace(/\{\{([^{}]+)\}\}/g, (_, expression: string) => String(this.#lookUp(expression)))
  }

  /** Resolves `key.a.b`: the longest prefix that is a known key, then a path into its value. */
  #lookUp(expression: string): Json {
    const parts = expression.split('.')
    for (let cut = parts.length - 1; cut > 0; cut--) {
      let found: Json | undefined = this.find(parts.slice(0, cut).join('.'))
      for (const part of parts.slice(cut)) {
        found = isObject(found) ? found[part] : Array.isArray(found) ? found[Number(part)] : undefined
      }
      if (found !== undefined) return found
    }
    throw new Error(`Nothing is remembered as ${expression}`)
  }
}

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
