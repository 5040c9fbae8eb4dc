/** Writes random content to a server through its API, and reads it with ids and times replaced by placeholders. */
import type { Json, JsonObject } from '../reference/recording.ts'
import type { Data, Write } from './content.ts'
import type { NaiveEvaluator } from './naive-evaluator.ts'
import {
  endpointOf,
  type RandomAttribute,
  type RandomModel,
  type RandomType,
  TOKEN,
  uidOf,
} from './random-model.ts'

type Version = ReturnType<NaiveEvaluator['versions']>[number]

export class ApiClient {
  readonly #model: RandomModel
  readonly #base: string
  readonly #token: string
  readonly #documentIds = new Map<string, string>()
  readonly #keys = new Map<string, string>()
  readonly #ids = new Map<string, number>()

  constructor(model: RandomModel, base: string, token = TOKEN) {
    this.#model = model
    this.#base = base
    this.#token = token
  }

  /** The documentId that the server assigned; an unknown one for a document that was never written. */
  documentIdOf(key: string): string {
    return this.#documentIds.get(key) ?? 'nosuchdocumentxxxxxxxxxx'
  }

  /** The numeric id of a version. */
  idOf(key: string, locale: string, status: string): number {
    const id = this.#ids.get(`${key} ${locale} ${status}`)
    if (id === undefined) throw new Error(`The server has no ${status} version of ${key} in ${locale}`)
    return id
  }

  async write(writes: readonly Write[]) {
    for (const { type: name, key, locale, publish, data } of writes) {
      const type = this.#type(name)
      const known = this.#documentIds.get(key)
      const create = known === undefined && !type.single
      const query = `?locale=${locale}${publish ? '' : '&status=draft'}`
      const path = endpointOf(type) + (create || type.single ? '' : `/${known}`)
      const body = JSON.stringify({ data: this.#body(data, type.attributes) })
      const response = await this.#send(create ? 'POST' : 'PUT', path + query, body)
      const { documentId } = asObject(asObject(response.body).data)
      if (response.status >= 300 || typeof documentId !== 'string') {
        throw new Error(
          `Writing ${key} failed: ${path}${query} ${body}\n${response.status} ${JSON.stringify(response.body)}`,
        )
      }
      this.#documentIds.set(key, documentId)
      this.#keys.set(documentId, key)
    }
  }

  /** Reads the numeric id of each version from the server. */
  async learnIds(versions: readonly Version[]) {
    for (const { type, key, locale, status } of versions) {
      const path = endpointOf(type) + (type.single ? '' : `/${this.documentIdOf(key)}`)
      const response = await this.#send('GET', `${path}?locale=${locale}&status=${status}&fields=createdAt`)
      const { id } = asObject(asObject(response.body).data)
      if (typeof id === 'number') this.#ids.set(`${key} ${locale} ${status}`, id)
      else throw new Error(`No ${status} version of ${key} in ${locale}: ${JSON.stringify(response)}`)
    }
  }

  /** Replaces documentIds by keys, and times and ids of entries by placeholders. */
  async read(url: string): Promise<{ status: number; body: Json }> {
    const { status, body } = await this.#send('GET', url)
    return { status, body: this.#settled(body, '') }
  }

  #settled(value: Json, name: string): Json {
    if (name === 'extra' || name === 'body') return value
    if (Array.isArray(value)) return value.map((item) => this.#settled(item, ''))
    if (typeof value === 'object' && value !== null) {
      const settled = Object.fromEntries(
        Object.entries(value).map(([key, child]) => [key, this.#settled(child, key)]),
      )
      const { documentId } = value
      if (typeof documentId !== 'string') return settled
      const key = this.#keys.get(documentId)
      return key === undefined
        ? { ...settled, id: '{{entry}}', documentId: '{{entry}}' }
        : { ...settled, documentId: key }
    }
    const isTime = name === 'createdAt' || name === 'updatedAt' || name === 'publishedAt'
    return isTime && typeof value === 'string' ? '{{time}}' : value
  }

  #body(
    { scalars, links, entries }: Data,
    attributes: Readonly<Record<string, RandomAttribute>>,
  ): JsonObject {
    const body: JsonObject = { ...scalars }
    for (const [name, keys] of Object.entries(links)) {
      const attribute = attributes[name]
      const morph = attribute?.kind === 'relation' && attribute.target === null
      body[name] = keys.map((key) =>
        morph
          ? { __type: uidOf(key.replace(/\d+$/, '')), documentId: this.documentIdOf(key) }
          : this.documentIdOf(key),
      )
    }
    for (const [name, list] of Object.entries(entries)) {
      const attribute = attributes[name]
      const written = list.map(({ component, data }) => ({
        ...(attribute?.kind === 'zone' ? { __component: component } : {}),
        ...this.#body(data, this.#attributesOf(component)),
      }))
      body[name] = attribute?.kind === 'component' && !attribute.repeatable ? (written[0] ?? null) : written
    }
    return body
  }

  #attributesOf(component: string) {
    return this.#model.components.find(({ name }) => name === component)?.attributes ?? {}
  }

  #type(name: string): RandomType {
    const type = this.#model.types.find((one) => one.name === name)
    if (!type) throw new Error(`No type ${name}`)
    return type
  }

  async #send(method: string, url: string, body?: string): Promise<{ status: number; body: Json }> {
    const response = await fetch(this.#base + url, {
      method,
      headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body }),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? null : JSON.parse(text) }
  }
}

const asObject = (value: Json | undefined): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
