/** The parts of requests. */
import fc from 'fast-check'
import type { Body, FuzzRequest, Json, Parameter } from '../request.ts'
import { anyBody } from './any-body.ts'
import { anyJson, without } from './values.ts'

/** Names of the available credentials. */
const CREDENTIALS = [...['nobody', 'readonly', 'custom', 'user', 'admin', 'signedInAdmin', 'blocked', 'bad']]

export const credentials = fc.oneof(
  { weight: 2, arbitrary: fc.constant('full') },
  { weight: 1, arbitrary: fc.constantFrom(...CREDENTIALS) },
)
export const NONE: Body = { kind: 'none' }
export const noQuery = fc.constant<readonly Parameter[]>([])

const headers = fc.oneof(
  { weight: 20, arbitrary: fc.constant<FuzzRequest['headers']>([]) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(
        fc.constantFrom(
          'if-none-match',
          'if-match',
          'idempotency-key',
          'if-modified-since',
          'range',
          'prefer',
        ),
        fc.constantFrom(
          '*',
          '""',
          'W/"1"',
          '"1-x"',
          '',
          '{{etag 0}}',
          '{{etag 3}}',
          'key-1',
          'key-2',
          'x'.repeat(300),
          'bytes=0-1',
          '\u00ff',
        ),
      )
      .map((header): FuzzRequest['headers'] => [header]),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<FuzzRequest['headers']>(
      [['origin', 'https://evil.test']],
      [['origin', 'null']],
      [['accept', 'text/html']],
      [['accept-encoding', 'gzip']],
      [['x-forwarded-for', '1.2.3.4, 5.6.7.8']],
      [['x-forwarded-host', 'evil.test']],
      [['x-http-method-override', 'DELETE']],
      [['content-encoding', 'gzip']],
      [['expect', 'nothing']],
      [['traceparent', '00-xyz-1-01']],
      [['x-request-id', 'a'.repeat(500)]],
      [['cookie', 'a=b; __proto__=c']],
    ),
  },
)

export interface Parts {
  readonly route: string
  readonly method: fc.Arbitrary<string>
  readonly path: fc.Arbitrary<string>
  readonly query?: fc.Arbitrary<readonly Parameter[]>
  readonly body?: fc.Arbitrary<Body>
  readonly as?: fc.Arbitrary<string>
}

export const asks = ({
  route,
  method,
  path,
  query = noQuery,
  body = fc.constant(NONE),
  as = credentials,
}: Parts): fc.Arbitrary<FuzzRequest> =>
  fc.record({ route: fc.constant(route), as, method, path, query, headers, body })

export const mostly = <Value>(usual: Value, ...others: readonly Value[]) =>
  fc.oneof(
    { weight: 12, arbitrary: fc.constant(usual) },
    { weight: 1, arbitrary: fc.constantFrom(usual, ...others) },
  )

export const OTHER_METHODS = [
  'PATCH',
  'OPTIONS',
  'HEAD',
  'DELETE',
  'PUT',
  'POST',
  'GET',
  'TRACE',
  'PROPFIND',
  'LINK',
]

export const json = (values: fc.Arbitrary<Json>): fc.Arbitrary<Body> =>
  fc.oneof(
    {
      weight: 8,
      arbitrary: values.map((value): Body => ({ kind: 'json', type: 'application/json', value })),
    },
    { weight: 1, arbitrary: anyBody },
  )

/** Objects with these keys: half of them complete, the others with wrong or missing keys. */
export function objectOf(
  keys: Readonly<Record<string, fc.Arbitrary<Json>>>,
  optional: Readonly<Record<string, fc.Arbitrary<Json>>> = {},
): fc.Arbitrary<Json> {
  const all = { ...keys, ...optional }
  const wrong = Object.entries(all).map(([key, values]): [string, fc.Arbitrary<Json>] => [
    key,
    fc.oneof({ weight: 8, arbitrary: values }, { weight: 1, arbitrary: anyJson }),
  ])
  const whole = fc.record<Record<string, Json>>(all, { requiredKeys: Object.keys(keys) })
  const broken = fc.record<Record<string, Json>>(Object.fromEntries(wrong), { requiredKeys: [] })
  return fc.oneof(whole, broken).map((record): Json => without<Json>(record))
}

export const inData = (values: fc.Arbitrary<Json>) => json(values.map((data): Json => ({ data })))
