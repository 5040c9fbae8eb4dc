/** What earlier answers of a run gave, by the key of their step, and the placeholders that name it. */
import type { Json, JsonObject } from './recording.ts'

export class Memory {
  readonly #parent: Memory | undefined
  readonly #answers = new Map<string, JsonObject>()

  /** With a parent, what is remembered here is forgotten with it: cases cannot disturb each other. */
  constructor(parent?: Memory) {
    this.#parent = parent
  }

  /** Remembers the document, user or list of an answer; the parts of a list as `key.0`, `key.1`, … */
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
    if (isObject(value)) this.#answers.set(key, value)
  }

  find(key: string): JsonObject | undefined {
    return this.#answers.get(key) ?? this.#parent?.find(key)
  }

  /** The key of each remembered document, by documentId; the first one given to a document. */
  keysByDocument(): Map<string, string> {
    const keys = this.#parent?.keysByDocument() ?? new Map<string, string>()
    for (const [key, { documentId }] of this.#answers) {
      if (typeof documentId === 'string' && !keys.has(documentId))
        keys.set(documentId, key.replace(/\.\d+$/, ''))
    }
    return keys
  }

  /** A value with every placeholder in its strings filled in. A string that is one placeholder takes its type. */
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

  /** `key.a.b`: the longest beginning that is a known key, then a path into what it holds. */
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
