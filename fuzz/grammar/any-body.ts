/** Bodies for any route: of every type, malformed, nested and too large. */
import fc from 'fast-check'
import type { Body, Json } from '../request.ts'
import { anyJson, words } from './values.ts'

export const JSON_TYPE = 'application/json'

export const oddTypes = fc.constantFrom(
  ...[
    'application/vnd.api+json',
    'application/json; charset=latin1',
    'application/json;',
    'APPLICATION/JSON',
    'text/plain',
    '',
  ],
  ...[
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'application/json, text/plain',
    'json',
    '/',
    'a/b',
  ],
  ...['application/json\t; charset=utf-8', 'text/json', 'application/octet-stream', 'application/+json'],
)

export const mutations = fc.constantFrom(
  ...[
    '',
    '}',
    '{',
    '"',
    ',',
    '\\',
    '\u0000',
    '\\u0000',
    '\\ud800',
    '1e400',
    '-',
    '/*',
    'NaN',
    '[',
    '"__proto__":{"x":1},',
    '"constructor":{"prototype":1},',
  ],
  ...['\ufeff', ' '.repeat(20), '[[[[[[[[', '"\\ud83d"'],
)

/** JSON that was truncated or had text inserted. */
export function mangle(value: Json, at: number, text: string): Body {
  const json = JSON.stringify(value)
  const wanted = at % (json.length + 1)
  // Not before a placeholder, whose value differs between servers.
  const place = json.startsWith('{{', wanted) ? 0 : wanted
  return {
    kind: 'text',
    type: JSON_TYPE,
    text: text === '' ? json.slice(0, place) : json.slice(0, place) + text + json.slice(place),
  }
}

const nest = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth)

/** Bodies for any route. */
export const anyBody: fc.Arbitrary<Body> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Body>({ kind: 'none' }) },
  {
    weight: 6,
    arbitrary: fc
      .oneof(
        anyJson,
        anyJson.map((data): Json => ({ data })),
        fc.array(anyJson, { maxLength: 3 }),
      )
      .map((value): Body => ({ kind: 'json', type: JSON_TYPE, value })),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(
        oddTypes,
        fc.oneof(
          words,
          fc.constantFrom(
            '{}',
            '[]',
            'null',
            '1',
            '"x"',
            'data[name]=x',
            'data[__proto__][x]=1',
            'data=%',
            'a[b',
          ),
        ),
      )
      .map(([type, text]): Body => ({ kind: 'text', type, text })),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Body>(
      { kind: 'text', type: JSON_TYPE, text: `{"data":${nest(90, '[', ']')}}` },
      { kind: 'text', type: JSON_TYPE, text: `{"data":${nest(20_000, '[', ']')}}` },
      { kind: 'text', type: JSON_TYPE, text: `{"data":${'{"a":'.repeat(5000)}1${'}'.repeat(5001)}` },
      { kind: 'text', type: JSON_TYPE, text: `{"data":{"name":"${'x'.repeat(200_000)}"}}` },
      { kind: 'text', type: JSON_TYPE, text: `{"data":{"name":"${'x'.repeat(1_100_000)}"}}` },
      { kind: 'text', type: JSON_TYPE, text: `{"data":{"stars":${'9'.repeat(5000)}}}` },
      { kind: 'text', type: JSON_TYPE, text: `[${Array(20_000).fill('{}').join()}]` },
    ),
  },
)
