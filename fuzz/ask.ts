/**
 * A request as the fuzzer thinks of it: in parts that can be left out one by one, with references in place of what only a
 * server can name. `{{doc api::dish.dish 3}}` is the documentId of a dish, whatever it is on the server that is asked.
 */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

export interface Ask {
  /** The pattern of the path, for the tally. */
  readonly route: string
  /** Name of the credential. */
  readonly as: string
  readonly method: string
  readonly path: string
  readonly query: readonly Pair[]
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Body
}

/** A parameter: percent-encoded wholly, with its brackets left as they are, or sent as it stands. */
export interface Pair {
  readonly name: string
  readonly value: string
  readonly style: 'whole' | 'brackets' | 'raw'
}

export interface FormPart {
  readonly head: string
  readonly content: string
  /** Sends a file of the recorded project instead of the content. */
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

/** A request as it goes to one of the servers. */
export interface Wire {
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | null
}

/** What a reference stands for on the server that is asked. */
export type LookUp = (pool: string, index: number) => string

const REFERENCE = /\{\{([^{}]+?) (\d+)\}\}/g
const ONLY_REFERENCE = /^\{\{(id|entry)(?: [^{}]+?)? (\d+)\}\}$/

const fill = (text: string, lookUp: LookUp) =>
  text.replaceAll(REFERENCE, (_, pool: string, index: string) => lookUp(pool, Number(index)))

/** Numeric ids become numbers; within longer texts they stay text. */
function fillJson(value: Json, lookUp: LookUp): Json {
  if (typeof value === 'string')
    return ONLY_REFERENCE.test(value) ? Number(fill(value, lookUp)) : fill(value, lookUp)
  if (typeof value !== 'object' || value === null) return value
  if (isList(value)) return value.map((item) => fillJson(item, lookUp))
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, fillJson(child, lookUp)]))
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value)

function encode({ name, value, style }: Pair, lookUp: LookUp): string {
  const [filledName, filledValue] = [fill(name, lookUp), fill(value, lookUp)]
  if (style === 'raw') return filledValue === '' ? filledName : `${filledName}=${filledValue}`
  const encoded = encodeURIComponent(filledName.toWellFormed())
  const shown = style === 'whole' ? encoded : encoded.replaceAll('%5B', '[').replaceAll('%5D', ']')
  return `${shown}=${encodeURIComponent(filledValue.toWellFormed())}`
}

/** The bytes of a body; `fileOf` gives those of a file that is uploaded. */
function bytesOf(body: Body, lookUp: LookUp, fileOf: (name: string) => Buffer): Buffer | null {
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

/** The request as the server meets it whose names `lookUp` gives. */
export function wireOf(
  ask: Ask,
  authorization: string | null,
  lookUp: LookUp,
  fileOf: (name: string) => Buffer,
): Wire {
  const query = ask.query.map((pair) => encode(pair, lookUp)).join('&')
  const body = bytesOf(ask.body, lookUp, fileOf)
  return {
    method: ask.method,
    // The client refuses to send what is not one byte; a server meets such bytes percent-encoded or in Latin 1.
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
