/** The recorded cases: requests in order, and the expected responses. */
import { readdirSync, readFileSync } from 'node:fs'

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type JsonObject = { [key: string]: Json }

/** The expected response. Values that differ between runs are placeholders such as `{{docId:r1}}`. */
export interface Expectation {
  readonly status: number
  readonly allow?: string
  /** A body that is not JSON. */
  readonly contentType?: string
  /** Absent for errors, and where only the status is compared. */
  readonly body?: Json
  /** Name of the error; null when an error has no body. */
  readonly error?: string | null
  /** The paths of the attributes in a ValidationError, sorted. */
  readonly paths?: readonly string[]
  /** The rejected key, and where it was found. */
  readonly key?: string
  readonly source?: 'query' | 'body'
  readonly param?: string
}

export interface Upload {
  readonly files?: readonly { field?: string; file: string; name?: string; type: string }[]
  readonly fields?: Readonly<Record<string, Json>>
}

/** One request. `{{key.documentId}}` refers to a value of an earlier response. */
export interface Step {
  /** The key under which the response is remembered. */
  readonly key?: string
  readonly method: string
  readonly path: string
  readonly query?: string
  /** The name of a token or of a seeded user; anonymous when absent. */
  readonly auth?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Json
  readonly rawBody?: string
  readonly upload?: Upload
  /** The list in the response is compared as a set, because the request does not specify an order. */
  readonly unordered?: boolean
  /** Cleans up after the case: only the status is compared. */
  readonly cleanup?: boolean
  /** Absent where the response does not matter. */
  readonly expect?: Expectation
}

export interface Case {
  readonly name: string
  readonly writes?: boolean
  readonly steps: readonly Step[]
}

interface SchemaFile {
  readonly kind?: string
  readonly info: { readonly singularName: string; readonly pluralName: string }
  readonly attributes: Readonly<Record<string, { readonly type: string }>>
}

export interface RecordedType {
  readonly single: boolean
  readonly attributes: ReadonlySet<string>
}

export interface Recording {
  readonly seed: readonly Step[]
  /** Cases that only read come first, so that a failed write cannot affect them. */
  readonly cases: readonly Case[]
  readonly tokens: Readonly<Record<string, string>>
  /** Names of `json` and `blocks` attributes, whose values are not normalised. */
  readonly opaque: ReadonlySet<string>
  /** Whether the server runs with `api.rest.compat: "strapi"`. */
  readonly compatible: boolean
  /** The content-type that a path such as `/api/restaurants/abc` addresses. */
  typeAt(path: string): RecordedType | undefined
}

const here = new URL('./', import.meta.url)
const files = (folder: string) => readdirSync(new URL(folder, here)).sort()
const text = (file: string) => readFileSync(new URL(file, here), 'utf8')

/** The folder of the project that the recording was made with. */
export const PROJECT = new URL('project/', here)

/** The bytes of a file that a step uploads. */
export const fileBytes = (file: string) => readFileSync(new URL(file, here))

export function loadRecording({ compatible = false } = {}): Recording {
  const seed: Step[] = JSON.parse(text('seed.json'))
  const cases = files('cases').flatMap((file): Case[] => JSON.parse(text(`cases/${file}`)))
  const tokens: Record<string, { token: string }> = JSON.parse(text('project/config/tokens.json'))
  const types = files('project/src/api').map(
    (name): SchemaFile => JSON.parse(text(`project/src/api/${name}/content-types/${name}/schema.json`)),
  )
  const components = files('project/src/components').flatMap((category) =>
    files(`project/src/components/${category}`).map(
      (file): SchemaFile => JSON.parse(text(`project/src/components/${category}/${file}`)),
    ),
  )
  const bySegment = new Map(
    types.map(({ kind, info, attributes }) => {
      const single = kind === 'singleType'
      const type: RecordedType = { single, attributes: new Set(Object.keys(attributes)) }
      return [single ? info.singularName : info.pluralName, type]
    }),
  )
  return {
    seed,
    compatible,
    cases: [...cases.filter((one) => !one.writes), ...cases.filter((one) => one.writes)],
    tokens: Object.fromEntries(Object.entries(tokens).map(([name, { token }]) => [name, token])),
    opaque: new Set([...types, ...components].flatMap(opaqueAttributes)),
    typeAt: (path) => bySegment.get(/^\/api\/([^/]+)/.exec(path)?.[1] ?? ''),
  }
}

const opaqueAttributes = ({ attributes }: SchemaFile) =>
  Object.entries(attributes)
    .filter(([, { type }]) => type === 'json' || type === 'blocks')
    .map(([name]) => name)
