/**
 * A request in the fuzzer's own form: split into parts, so that a failing request can be shrunk, with placeholders for
 * ids that differ between servers. `{{doc api::dish.dish 3}}` stands for the documentId of a dish on the target server.
 */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

export interface FuzzRequest {
  /** The route pattern, for the statistics. */
  readonly route: string
  /** Name of the credential. */
  readonly as: string
  readonly method: string
  readonly path: string
  readonly query: readonly Parameter[]
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Body
}

/** A parameter: fully percent-encoded, encoded except for its brackets, or sent raw. */
export interface Parameter {
  readonly name: string
  readonly value: string
  readonly style: 'whole' | 'brackets' | 'raw'
}

export interface FormPart {
  readonly head: string
  readonly content: string
  /** Sends a file of the reference project instead of `content`. */
  readonly file?: string
}

export type Body =
  | { readonly kind: 'none' }
  | { readonly kind: 'json'; readonly type: string; readonly value: Json }
  | { readonly kind: 'text'; readonly type: string; readonly text: string }
  | {
      readonly kind: 'form'
      readonly type: string
      readonly parts: readonly FormPart[]
      readonly end: string
    }

/** A request as it is sent to one of the servers. */
export interface WireRequest {
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | null
}

/** The value of a placeholder on the target server. */
export type ResolvePlaceholder = (pool: string, index: number) => string

const REFERENCE = /\{\{([^{}]+?) (\d+)\}\}/g
const ONLY_REFERENCE = /^\{\{(id|entry)(?: [^{}]+?)? (\d+)\}\}$/

const fill = (text: string, lookUp: ResolvePlaceholder) =>
  text.replaceAll(REFERENCE, (_, pool: string, index: string) => lookUp(pool, Number(index)))

/** Numeric ids become numbers; inside longer strings they stay text. */
function fillJson(value: Json, lookUp: ResolvePlaceholder): Json {
  if (typeof value === 'string')
    return ONLY_REFERENCE.test(value) ? Number(fill(value, lookUp)) : fill(value, lookUp)
  if (typeof value !== 'object' || value === null) return value
  if (isList(value)) return value.map((item) => fillJson(item, lookUp))
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, fillJson(child, lookUp)]))
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value)

function encode({ name, value, style }: Parameter, lookUp: ResolvePlaceholder): string {
  const [filledName, filledValue] = [fill(name, lookUp), fill(value, lookUp)]
  if (style === 'raw') return filledValue === '' ? filledName : `${filledName}=${filledValue}`
  const encoded = encodeURIComponent(filledName.toWellFormed())
  const shown = style === 'whole' ? encoded : encoded.replaceAll('%5B', '[').replaceAll('%5D', ']')
  return `${shown}=${encodeURIComponent(filledValue.toWellFormed())}`
}

/** The bytes of a body; `fileOf` returns the bytes of an uploaded file. */
function bytesOf(body: Body, lookUp: ResolvePlaceholder, fileOf: (name: string) => Buffer): Buffer | null {
  switch (body.kind) {
    case 'none':
      return null
    case 'json':
      return Buffer.from(JSON.stringify(fillJson(body.value, lookUp)))
    case 'text':
      return Buffer.from(fill(body.text, lookUp))
    case 'form':
      return Buffer.concat([
        ...body.parts.flatMap(({ head, content, file }) => [
          Buffer.from(`--fuzz\r\n${fill(head, lookUp)}\r\n\r\n`),
          file === undefined ? Buffer.from(fill(content, lookUp)) : fileOf(file),
          Buffer.from('\r\n'),
        ]),
        Buffer.from(body.end),
      ])
  }
}

/** The request with its placeholders replaced by `lookUp`. */
export function toWireRequest(
  ask: FuzzRequest,
  authorization: string | null,
  lookUp: ResolvePlaceholder,
  fileOf: (name: string) => Buffer,
): WireRequest {
  const query = ask.query.map((pair) => encode(pair, lookUp)).join('&')
  const body = bytesOf(ask.body, lookUp, fileOf)
  return {
    method: ask.method,
    // Node's client only sends Latin-1 characters in a path; the rest is percent-encoded.
    target: (fill(ask.path, lookUp) + (query === '' ? '' : `?${query}`)).replaceAll(
      /[^\x21-\xff]/g,
      encodeURIComponentSafely,
    ),
    headers: {
      ...(authorization === null ? {} : { authorization }),
      ...(body === null || ask.body.kind === 'none' || ask.body.type === ''
        ? {}
        : { 'content-type': ask.body.type }),
      ...(body === null ? {} : { 'content-length': String(body.length) }),
      ...Object.fromEntries(ask.headers.map(([name, value]) => [name, fill(value, lookUp)])),
    },
    body,
  }
}

const encodeURIComponentSafely = (text: string) => encodeURIComponent(text.toWellFormed())
