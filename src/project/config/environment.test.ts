import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ProjectProblem } from '../problems.ts'
import { environmentConfig, variableName } from './environment.ts'
import { scalarSettings } from './merge-config.ts'

function configOf(env: Record<string, string>) {
  const problems: ProjectProblem[] = []
  return { config: environmentConfig(env, problems), problems }
}

test('every setting has its own variable', () => {
  const names = scalarSettings().map(([path]) => variableName(path))
  assert.equal(new Set(names).size, names.length)
  assert.ok(names.includes('OCTAVO_API_REST_MAX_LIMIT'))
  assert.ok(names.includes('OCTAVO_SERVER_PORT'))
})

test('variables are parsed according to their setting', () => {
  const { config, problems } = configOf({
    PORT: '8080',
    HOST: '0.0.0.0',
    PUBLIC_URL: 'https://example.test',
    DATABASE_URL: 'postgres://localhost/x',
    OCTAVO_API_REST_STRICT_PARAMS: 'true',
    OCTAVO_API_REST_COMPAT: 'strapi',
    OCTAVO_SERVER_TRUSTED_PROXIES: '10.0.0.1, 10.0.0.2',
    OCTAVO_LOCALES_LOCALES: 'en,fr',
    OCTAVO_CORS_ORIGINS: '*',
    OCTAVO_AUTH_SECRET: 'abc',
  })
  assert.deepEqual(problems, [])
  assert.deepEqual(config, {
    server: {
      port: 8080,
      host: '0.0.0.0',
      url: 'https://example.test',
      trustedProxies: ['10.0.0.1', '10.0.0.2'],
    },
    database: { url: 'postgres://localhost/x' },
    api: { rest: { strictParams: true, compat: 'strapi' } },
    locales: { locales: ['en', 'fr'] },
    cors: { origins: '*' },
    auth: { secret: 'abc' },
  })
})

test('the long name of a variable overrides the short one', () => {
  assert.deepEqual(configOf({ PORT: '1', OCTAVO_SERVER_PORT: '2' }).config, { server: { port: 2 } })
})

test('empty and unknown variables are ignored', () => {
  assert.deepEqual(configOf({ PORT: '', OCTAVO_TOKEN: 'x', OCTAVO_ROLES: '{}', HOME: '/' }), {
    config: {},
    problems: [],
  })
})

test('a database URL is checked as in the configuration', () => {
  assert.deepEqual(
    configOf({ DATABASE_URL: 'sqlite::memory:' }).problems.map(({ message }) => message),
    ['must name a file: an in-memory database cannot be shared by connections'],
  )
})

test('the message about an invalid variable names the variable', () => {
  const { problems } = configOf({
    PORT: 'http',
    OCTAVO_API_REST_STRICT_PARAMS: 'maybe',
    OCTAVO_API_REST_COMPAT: 'x',
  })
  assert.deepEqual(
    problems.map(({ file, message }) => `${file} ${message}`),
    [
      'environment variable PORT must be an integer from 0 to 65535',
      'environment variable OCTAVO_API_REST_COMPAT must be one of none, strapi',
      'environment variable OCTAVO_API_REST_STRICT_PARAMS must be true or false',
    ],
  )
})
