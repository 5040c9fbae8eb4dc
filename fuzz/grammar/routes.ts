/** Requests to every route of a server. */
import fc from 'fast-check'
import type { ContentType, Model } from '../../src/model/model.ts'
import type { FuzzRequest, Json } from '../request.ts'
import { anyBody } from './any-body.ts'
import { bodyGrammar } from './body.ts'
import { beside } from './other-routes.ts'
import { asks, json, mostly, NONE, noQuery, OTHER_METHODS, objectOf } from './parts.ts'
import { queryGrammar } from './query.ts'
import { anyJson } from './values.ts'

const strangeIds = fc.constantFrom(
  ...[
    '0',
    '-1',
    '1',
    '2',
    '1e3',
    '99999999999999999999',
    'aaaaaaaaaaaaaaaaaaaaaaaa',
    '%00',
    '%',
    '%zz',
    '%2e%2e',
    '..',
    '%2F',
    'a%2Fb',
    'null',
  ],
  ...[
    '__proto__',
    'constructor',
    'actions',
    'undefined',
    '%F0%9F%98%88',
    '%ed%a0%80',
    '*',
    "'",
    '%22',
    'x'.repeat(300),
    ' ',
  ],
)

const idsOf = (type: ContentType) =>
  fc.oneof(
    { weight: 12, arbitrary: fc.nat(60).map((index) => `{{doc ${type.uid} ${index}}}`) },
    { weight: 1, arbitrary: fc.nat(60).map((index) => `{{id ${type.uid} ${index}}}`) },
    { weight: 1, arbitrary: strangeIds },
  )

const segmentOf = (type: ContentType) => (type.kind === 'single' ? type.singular : type.plural)

/** Any request that makes sense for this model. */
export function requests(model: Model): fc.Arbitrary<FuzzRequest> {
  const queries = queryGrammar(model)
  const bodies = bodyGrammar(model)
  const types = [...model.endpoints.values()]

  function contentOf(type: ContentType): { weight: number; arbitrary: fc.Arbitrary<FuzzRequest> }[] {
    const at = `/api/${segmentOf(type)}`
    const single = type.kind === 'single'
    const body = bodies.body(type)
    const one = single ? fc.constant(at) : idsOf(type).map((id) => `${at}/${id}`)
    const route = single ? '/api/:single' : '/api/:plural/:documentId'
    return [
      {
        weight: 10,
        arbitrary: asks({
          route: single ? route : '/api/:plural',
          method: mostly('GET', ...OTHER_METHODS),
          path: fc.constant(at),
          query: queries.list(type),
        }),
      },
      ...(single
        ? []
        : [
            {
              weight: 4,
              arbitrary: asks({
                route,
                method: mostly('GET', 'HEAD', 'PATCH', 'OPTIONS'),
                path: one,
                query: queries.document(type),
              }),
            },
          ]),
      ...(single
        ? []
        : [
            {
              weight: 6,
              arbitrary: asks({
                route: '/api/:plural',
                method: fc.constant('POST'),
                path: fc.constant(at),
                query: queries.document(type),
                body,
              }),
            },
          ]),
      {
        weight: 6,
        arbitrary: asks({
          route,
          method: fc.constant('PUT'),
          path: one,
          query: queries.document(type),
          body,
        }),
      },
      {
        weight: 1,
        arbitrary: asks({ route, method: fc.constant('DELETE'), path: one, query: queries.document(type) }),
      },
      ...(type.draftAndPublish && !single
        ? [
            {
              weight: 3,
              arbitrary: asks({
                route: '/api/:plural/:documentId/actions/:action',
                method: mostly('POST', 'GET', 'PUT'),
                path: fc
                  .tuple(
                    one,
                    mostly('publish', 'unpublish', 'discard', 'burn', 'toString', ''),
                    fc.constantFrom('publish', 'unpublish', 'discard'),
                  )
                  .map(
                    ([document, odd, action]) => `${document}/actions/${odd === 'publish' ? action : odd}`,
                  ),
                query: queries.document(type),
                body: fc.oneof(
                  { weight: 4, arbitrary: fc.constant(NONE) },
                  { weight: 1, arbitrary: anyBody },
                ),
              }),
            },
          ]
        : []),
    ]
  }

  const operations: fc.Arbitrary<Json> = fc.oneof(
    ...types.map((type) => {
      const at = `/api/${segmentOf(type)}`
      const single = type.kind === 'single'
      const one = fc.nat(40).map((index) => (single ? at : `${at}/{{doc ${type.uid} ${index}}}`))
      const rest = mostly('', '?status=draft', '?locale=fr', '?populate=*', '?%', '/', '/{a.documentId}')
      const body = bodies.document(type).map((data): Json => ({ data }))
      const optional = {
        id: fc.constantFrom('a', 'b', 'c', 'd', '__proto__', 'a b'),
        ifMatch: fc.constantFrom('*', '"1"', '{{etag 1}}'),
      }
      const path = (start: fc.Arbitrary<string>) => fc.tuple(start, rest).map((parts) => parts.join(''))
      return fc.oneof(
        objectOf(
          { method: fc.constant(single ? 'PUT' : 'POST'), path: path(fc.constant(at)), body },
          { id: optional.id },
        ),
        objectOf({ method: mostly('PUT', 'DELETE', 'GET', 'put'), path: path(one), body }, optional),
      )
    }),
  )
  const batch = asks({
    route: '/api/batch',
    method: mostly('POST', 'GET', 'PUT', 'OPTIONS'),
    path: fc.constant('/api/batch'),
    body: json(
      fc.oneof(
        {
          weight: 8,
          arbitrary: fc.array(operations, { maxLength: 4 }).map((list): Json => ({ operations: list })),
        },
        { weight: 1, arbitrary: anyJson.map((list): Json => ({ operations: list })) },
        {
          weight: 1,
          arbitrary: fc.constant<Json>({
            operations: Array(101).fill({ method: 'POST', path: '/api/dishes' }),
          }),
        },
      ),
    ),
  })

  return fc.oneof(
    { weight: 100, arbitrary: fc.oneof(...types.flatMap(contentOf)) },
    { weight: 5, arbitrary: batch },
    ...beside(model, (uid) => {
      const type = model.types.get(uid)
      return type ? queries.list(type) : noQuery
    }),
  )
}
