/** Parses the settings of a webhook in request bodies, commands and the configuration. Pure. */
import { errors, type FieldProblem } from '../../errors.ts'
import { EVENT_NAMES } from '../../events/event.ts'
import type { WebhookSettings } from '../../events/webhooks/webhook.ts'
import type { Model } from '../../model/model.ts'
import { didYouMean } from '../../project/suggest.ts'
import { isObject, type Values } from '../../project/values.ts'
import { filtersProblem } from '../../query/create-parse-context.ts'
import type { Bounds } from '../../query/params.ts'

export const WEBHOOK_KEYS = ['name', 'url', 'events', 'types', 'filters', 'headers', 'enabled'] as const

const MAX_NAME = 100
const MAX_URL = 2_000
const MAX_HEADERS = 20
const MAX_HEADER_VALUE = 4_000

/** Set by the server; others could not rely on them otherwise. */
const OWN_HEADERS =
  /^(webhook-.*|x-strapi-event|content-.*|host|connection|keep-alive|transfer-encoding|te|trailer|upgrade|expect|user-agent|proxy-.*)$/i
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

interface Context {
  readonly model: Model
  readonly bounds: Bounds
}

const NEW: WebhookSettings = {
  ...{ name: '', url: '', events: null, types: null, filters: null, headers: {}, enabled: true },
}

/** The settings of a new webhook. Throws a 400 that names everything that is wrong. */
export function parseNewWebhook(context: Context, body: Values): WebhookSettings {
  return parseWebhook(context, { name: '', url: '', ...body }, NEW)
}

/** The changes of a webhook, checked together with what stays. */
export function parseWebhookChanges(
  context: Context,
  body: Values,
  current: WebhookSettings,
): Partial<WebhookSettings> {
  const settings = parseWebhook(context, body, current)
  return Object.fromEntries(WEBHOOK_KEYS.filter((key) => key in body).map((key) => [key, settings[key]]))
}

function parseWebhook({ model, bounds }: Context, body: Values, current: WebhookSettings): WebhookSettings {
  const problems: FieldProblem[] = []
  const refuse = (path: readonly string[], message: string) =>
    void problems.push({ path, message: `${path.join('.')} ${message}` })
  const parsed = <Key extends keyof WebhookSettings>(
    key: Key,
    parse: (value: unknown) => WebhookSettings[Key],
  ): WebhookSettings[Key] => (key in body ? parse(body[key]) : current[key])

  const types = parsed('types', (value) => parseTypes(model, value, refuse))
  const settings: WebhookSettings = {
    name: parsed('name', (value) => parseName(value, refuse)),
    url: parsed('url', (value) => parseUrl(value, refuse)),
    events: parsed('events', (value) => parseEvents(value, refuse)),
    types,
    filters: parsed('filters', (value) => parseFilters(value, refuse)),
    headers: parsed('headers', (value) => parseHeaders(value, refuse)),
    enabled: parsed('enabled', (value) => {
      if (typeof value !== 'boolean') refuse(['enabled'], 'must be true or false')
      return value === true
    }),
  }
  const { filters } = settings
  if (filters && !types) refuse(['filters'], 'require types: name the content-types that they are for')
  for (const uid of filters ? (types ?? []) : []) {
    const type = model.types.get(uid)
    const problem = type && filters ? filtersProblem(model, type, filters, bounds) : null
    if (problem !== null) refuse(['filters'], `do not fit ${uid}: ${problem}`)
  }
  if (problems.length > 0) throw errors.invalidValues(problems)
  return settings
}

type Refuse = (path: readonly string[], message: string) => void

function parseName(value: unknown, refuse: Refuse): string {
  if (value === '' || value === null) refuse(['name'], 'is required')
  else if (typeof value !== 'string' || value.length > MAX_NAME || value.includes('\0'))
    refuse(['name'], `must be a string of at most ${MAX_NAME} characters`)
  return String(value)
}

function parseUrl(value: unknown, refuse: Refuse): string {
  const url = typeof value === 'string' && value.length <= MAX_URL ? URL.parse(value) : null
  if (value === '' || value === null) refuse(['url'], 'is required')
  else if (!url || !['http:', 'https:'].includes(url.protocol))
    refuse(['url'], 'must be an address that starts with https:// or http://')
  else if (url.username !== '' || url.password !== '')
    refuse(['url'], 'must not contain a user name or password; send them in headers')
  return url?.href ?? ''
}

function parseList(key: string, value: unknown, refuse: Refuse): readonly string[] | null {
  if (value === null) return null
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) {
    refuse([key], 'must be a list of strings')
    return null
  }
  const items = value.map(String)
  return items.length === 0 ? null : [...new Set(items)]
}

function parseEvents(value: unknown, refuse: Refuse): readonly string[] | null {
  const events = parseList('events', value, refuse)
  const known: readonly string[] = EVENT_NAMES
  for (const event of events ?? [])
    if (!known.includes(event))
      refuse(['events'], `must be names of events; unknown: "${event}"${didYouMean(event, known)}`)
  return events
}

/** By uid, or by the name in the routes of the content-type; returns uids. */
function parseTypes(model: Model, value: unknown, refuse: Refuse): readonly string[] | null {
  const names = parseList('types', value, refuse)
  return (
    names?.map((name) => {
      const type = model.types.get(name) ?? model.endpoints.get(name)
      const known = [...model.types.keys(), ...model.endpoints.keys()]
      if (!type) refuse(['types'], `must be content-types; unknown: "${name}"${didYouMean(name, known)}`)
      return type?.uid ?? name
    }) ?? null
  )
}

function parseFilters(value: unknown, refuse: Refuse): WebhookSettings['filters'] {
  if (value === null) return null
  if (!isObject(value)) {
    refuse(['filters'], 'must be an object, such as { "color": { "$eq": "red" } }')
    return null
  }
  return Object.keys(value).length === 0 ? null : value
}

function parseHeaders(value: unknown, refuse: Refuse): Readonly<Record<string, string>> {
  if (value === null) return {}
  if (!isObject(value)) {
    refuse(['headers'], 'must be an object of names and values')
    return {}
  }
  const entries = Object.entries(value)
  if (entries.length > MAX_HEADERS) refuse(['headers'], `must be at most ${MAX_HEADERS}`)
  for (const [name, text] of entries) {
    // Messages do not repeat values, which may be secrets.
    if (!HEADER_NAME.test(name)) refuse(['headers'], 'must have names of letters, digits and -')
    else if (OWN_HEADERS.test(name)) refuse(['headers', name], 'is set by the server')
    else if (typeof text !== 'string' || text.length > MAX_HEADER_VALUE || !HEADER_VALUE.test(text))
      refuse(['headers', name], 'must be a string without line breaks and control characters')
  }
  return Object.fromEntries(entries.map(([name, text]) => [name.toLowerCase(), String(text)]))
}
