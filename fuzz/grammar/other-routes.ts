/** Routes other than content: users, sign-in, files, administration, documentation and unknown paths. */
import fc from 'fast-check'
import type { Model } from '../../src/model/model.ts'
import type { Body, FuzzRequest, Json, Parameter } from '../request.ts'
import { accounts, codes, componentSchemas, permissions, typeSchemas } from './admin-bodies.ts'
import { anyBody } from './any-body.ts'
import { asks, credentials, inData, json, mostly, NONE, noQuery, OTHER_METHODS, objectOf } from './parts.ts'
import { HOSTILE_NAMES } from './samples.ts'
import { uploads } from './uploads.ts'
import { anyJson, words } from './values.ts'

/** Requests to routes other than content. */
export function beside(
  model: Model,
  listOf: (uid: string) => fc.Arbitrary<readonly Parameter[]>,
): { weight: number; arbitrary: fc.Arbitrary<FuzzRequest> }[] {
  const admins = fc.oneof(
    { weight: 2, arbitrary: fc.constant('admin') },
    { weight: 1, arbitrary: credentials },
  )
  const get = (path: string, weight: number, query: fc.Arbitrary<readonly Parameter[]> = noQuery) => ({
    weight,
    arbitrary: asks({
      route: path,
      method: mostly('GET', ...OTHER_METHODS),
      path: fc.constant(path),
      query,
      as: path.startsWith('/admin') ? admins : credentials,
    }),
  })
  const post = (
    path: string,
    weight: number,
    body: fc.Arbitrary<Body>,
    as: fc.Arbitrary<string> = credentials,
  ) => ({
    weight,
    arbitrary: asks({
      route: path,
      method: mostly('POST', ...OTHER_METHODS),
      path: fc.constant(path),
      body,
      as,
    }),
  })
  const at = (
    route: string,
    weight: number,
    methods: readonly string[],
    ids: fc.Arbitrary<string>,
    body: fc.Arbitrary<Body> = anyBody,
  ) => ({
    weight,
    arbitrary: asks({
      route,
      method: fc.constantFrom(...methods),
      path: ids.map((id) => route.replace(/:\w+/, id)),
      body,
      as: route.startsWith('/admin') ? admins : credentials,
    }),
  })
  const pooled = (pool: string, ...others: readonly string[]) =>
    fc.oneof(
      { weight: 6, arbitrary: fc.nat(20).map((index) => `{{${pool} ${index}}}`) },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          '999999',
          '0',
          'x',
          '%00',
          '-1',
          '1e1',
          '99999999999999999999999',
          ...others,
        ),
      },
    )
  const person = objectOf({
    ...accounts,
    role: fc.constantFrom<Json>('{{role 0}}', '{{role 1}}', 0, null, 'admin', { connect: [] }),
    blocked: fc.boolean(),
  })
  const uids = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.constantFrom(
        ...[...model.types.keys()].filter((uid) => uid.includes('fuzz') || uid.includes('other')),
        'api::fuzzed.fuzzed',
        'api::other.other',
      ),
    },
    { weight: 1, arbitrary: fc.constantFrom('api::none.none', '__proto__', '%00', 'constructor') },
  )
  const flags = fc.constantFrom('', '?dryRun=true', '?confirm=true', '?dryRun=x', '?dryRun=true&dryRun=false')
  return [
    get('/api/users', 3, listOf('plugin::users-permissions.user')),
    get('/api/users/count', 1, listOf('plugin::users-permissions.user')),
    get('/api/users/me', 1, listOf('plugin::users-permissions.user')),
    post('/api/users', 1, json(person)),
    at('/api/users/:id', 2, ['GET', 'PUT', 'DELETE', 'PATCH'], pooled('made user'), json(person)),
    get('/api/users-permissions/roles', 1),
    post(
      '/api/auth/local',
      1,
      json(objectOf({ identifier: accounts.username, password: accounts.password })),
    ),
    post(
      '/api/auth/local/register',
      1,
      json(objectOf({ ...accounts, role: anyJson }).map((value): Json => value)),
    ),
    post('/api/auth/forgot-password', 1, json(objectOf({ email: accounts.email }))),
    post(
      '/api/auth/reset-password',
      1,
      json(objectOf({ code: codes, password: accounts.password, passwordConfirmation: accounts.password })),
    ),
    post(
      '/api/auth/change-password',
      1,
      json(
        objectOf({
          currentPassword: accounts.password,
          password: accounts.password,
          passwordConfirmation: accounts.password,
        }),
      ),
      fc.constantFrom('nobody', 'full', 'bad'),
    ),
    post('/api/auth/send-email-confirmation', 1, json(objectOf({ email: accounts.email }))),
    get(
      '/api/auth/email-confirmation',
      1,
      fc.constantFrom<readonly Parameter[]>(
        [],
        [{ name: 'confirmation', value: 'code_x', style: 'whole' }],
        [{ name: 'confirmation', value: '%00', style: 'raw' }],
      ),
    ),
    post('/api/auth/refresh', 1, json(objectOf({ refreshToken: codes }))),
    post('/api/auth/logout', 1, anyBody, fc.constantFrom('nobody', 'full', 'bad')),
    post('/api/upload', 2, uploads),
    get('/api/upload/files', 2, listOf('plugin::upload.file')),
    at('/api/upload/files/:id', 1, ['GET', 'GET', 'GET', 'DELETE', 'PUT'], pooled('id plugin::upload.file')),
    get('/api/upload/folders', 1),
    {
      weight: 1,
      arbitrary: asks({
        route: '/api/upload?id',
        method: fc.constant('POST'),
        path: pooled('id plugin::upload.file').map((id) => `/api/upload?id=${id}`),
        body: uploads,
      }),
    },
    get('/api/i18n/locales', 1),
    get('/api/openapi.json', 1),
    ...['/healthz', '/readyz', '/_health', '/docs', '/docs/start.js', '/'].map((path) => get(path, 1)),
    {
      weight: 3,
      arbitrary: asks({
        route: '(odd path)',
        method: mostly('GET', ...OTHER_METHODS),
        path: fc.oneof(
          fc.constantFrom(
            ...[
              '//',
              '/api',
              '/api/',
              '/api//restaurants',
              '/api/restaurants/',
              '/API/restaurants',
              '/api/restaurants//',
              '/api/%72estaurants',
              '/api/../admin/api/tokens',
            ],
            ...[
              '/uploads/..%2f..%2fetc%2fpasswd',
              '/uploads/%00',
              '/uploads/',
              '/uploads/x.png',
              '/docs/..%2f',
              '/docs/none',
              '/api/restaurants%00',
              '/%',
              '/%zz',
              '/api/%',
            ],
            ...[
              '/api/restaurants/x/actions',
              '/api/restaurants/x/actions/publish/more',
              '/admin',
              '/admin/api',
              '/admin/api/none',
              '/metrics',
              '/*',
              '/api/__proto__',
              '/api/constructor/x',
            ],
            ...[
              '/api/restaurants;x=1',
              '/api/restaurants#x',
              '/api/toString',
              '/favicon.ico',
              '/robots.txt',
              '/.git/config',
              '/api/auth/local/none',
              '/api/auth/google/callback',
              '/\u00ff',
            ],
          ),
          fc.constantFrom(...HOSTILE_NAMES).map((name) => `/api/${encodeURIComponent(name.toWellFormed())}`),
          fc
            .tuple(words, words)
            .map(
              ([a, b]) =>
                `/api/${encodeURIComponent(a.toWellFormed()).slice(0, 2000)}/${encodeURIComponent(b.toWellFormed()).slice(0, 2000)}`,
            ),
        ),
        body: fc.oneof({ weight: 3, arbitrary: fc.constant(NONE) }, { weight: 1, arbitrary: anyBody }),
      }),
    },
    get('/admin/api/tokens', 1),
    at(
      '/admin/api/tokens',
      1,
      ['POST'],
      fc.constant(''),
      inData(
        objectOf({
          name: fc.constantFrom('fuzz-a', 'fuzz-b', '', 'x'.repeat(300)),
          type: fc.constantFrom('custom', 'read-only', 'admin', 'x'),
          permissions,
          expiresAt: fc.constantFrom<Json>(null, '2999-01-01', 'x', 1, '+275760-09-13T00:00:00.000Z'),
        }),
      ),
    ),
    at('/admin/api/tokens/:id', 1, ['DELETE', 'GET', 'PUT'], pooled('made token')),
    get('/admin/api/roles', 1),
    at(
      '/admin/api/roles',
      1,
      ['POST'],
      fc.constant(''),
      inData(
        objectOf({
          type: fc.constantFrom('fuzz-a', 'fuzz-b', 'public', 'A', ''),
          name: words,
          description: words,
        }),
      ),
    ),
    at(
      '/admin/api/roles/:type',
      2,
      ['GET', 'PUT', 'DELETE'],
      fc.constantFrom('fuzz-a', 'fuzz-b', 'none', '__proto__', '%00', 'constructor'),
      inData(objectOf({ permissions })),
    ),
    get('/admin/api/users', 1),
    at('/admin/api/users', 1, ['POST'], fc.constant(''), inData(objectOf(accounts))),
    at('/admin/api/users/:id', 1, ['PUT', 'DELETE'], pooled('made user'), inData(objectOf(accounts))),
    at('/admin/api/users/:id/demote', 1, ['POST'], pooled('made user')),
    ...['/admin/api/content-types', '/admin/api/components', '/admin/api/locales', '/admin/api/settings'].map(
      (path) => get(path, 1),
    ),
    at('/admin/api/content-types:flags', 1, ['POST'], flags, inData(typeSchemas)),
    at('/admin/api/components:flags', 1, ['POST'], flags, inData(componentSchemas)),
    at(
      '/admin/api/content-types/:uid',
      1,
      ['GET', 'PUT', 'DELETE'],
      fc.tuple(uids, flags).map((parts) => parts.join('')),
      inData(typeSchemas),
    ),
    at(
      '/admin/api/components/:uid',
      1,
      ['GET', 'PUT', 'DELETE'],
      fc.constantFrom('fuzz.part', 'none.none', '__proto__', '%00'),
      inData(componentSchemas),
    ),
    at(
      '/admin/api/schema',
      1,
      ['PUT'],
      fc.constant(''),
      inData(
        fc.oneof(
          anyJson,
          objectOf({
            contentTypes: fc.array(typeSchemas, { maxLength: 2 }),
            components: fc.array(componentSchemas, { maxLength: 1 }),
          }),
        ),
      ),
    ),
  ]
}
