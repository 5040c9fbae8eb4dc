import assert from 'node:assert/strict'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { createProjectFolder } from '../../test/support/project-folder.ts'
import type { ConfigInput } from './config/config.ts'
import { defaults } from './config/defaults.ts'
import type { Environment } from './config/environment.ts'
import { scalarSettings } from './config/merge-config.ts'
import { configSetting } from './config/settings.ts'
import { formatProblem } from './problems.ts'
import { readProject } from './read-project.ts'

type Files = Readonly<Record<string, unknown>>

const read = (t: TestContext, files: Files, env: Environment = {}, overrides?: ConfigInput) =>
  readProject(createProjectFolder(t, files), env, overrides)

const problemsIn = async (t: TestContext, files: Files, env?: Environment, overrides?: ConfigInput) =>
  (await read(t, files, env, overrides)).problems.map(formatProblem)

describe('the configuration of a project', () => {
  test('an empty folder is a project with the defaults', async (t) => {
    const project = await read(t, {})
    assert.deepEqual(project.problems, [])
    assert.deepEqual(project.sources, [])
    const url = `sqlite:${join(project.dir, '.octavo/data.db')}`
    assert.deepEqual(project.config, { ...defaults, database: { ...defaults.database, url } })
  })

  test('a folder that cannot be read is reported, and not treated as empty', async (t) => {
    const folder = createProjectFolder(t, { 'src/components/shared/link.json': {} })
    const unreadable = ['config', 'src/api', 'src/components/other']
    for (const name of unreadable) symlinkSync(join(folder, name), join(folder, name))
    const { problems } = await readProject(folder, {})
    assert.deepEqual(
      problems.map(({ file, message }) => `${file} ${message.split(':', 2).join()}`),
      unreadable.map((name) => `${name} cannot be read, ELOOP`),
    )
  })

  test('a file .env that cannot be read is reported', async (t) => {
    const folder = createProjectFolder(t, { '.env/empty': '' })
    const { problems } = await readProject(folder, {})
    assert.deepEqual(
      problems.map(({ file, message }) => `${file} ${message.split(',', 1)}`),
      [`${join(folder, '.env')} cannot be read: EISDIR: illegal operation on a directory`],
    )
  })

  test('the default configuration is valid', () => {
    const notes: string[] = []
    configSetting.check(defaults, '', (path, message) => notes.push(`${path} ${message}`))
    assert.deepEqual(notes, [])
  })

  test('each replica is a PostgreSQL server of its own', async (t) => {
    const problems = (replica: string) =>
      problemsIn(t, { 'config/database.json': { url: 'postgres://u@a/db', replicas: [replica] } })
    assert.deepEqual(await problems('postgres://u@b/db'), [])
    assert.deepEqual(await problems('postgres://u@/db?host=/run/postgresql'), [])
    for (const replica of ['sqlite:a.db', 'postgres://u@b:port/db', 'postgres://u@b,c/db'])
      assert.match(String(await problems(replica)), /database\.replicas.* each with one host/, replica)
  })

  test('octavo.config may be TypeScript, JavaScript or JSON', async (t) => {
    const files: Files[] = [
      { 'octavo.config.ts': 'const port: number = 4000\nexport default { server: { port } }' },
      { 'octavo.config.js': 'export default { server: { port: 4000 } }', 'package.json': { type: 'module' } },
      { 'octavo.config.js': 'module.exports = { server: { port: 4000 } }' },
      { 'octavo.config.json': { server: { port: 4000 } } },
      {
        'octavo.config.mts': 'const port: number = 4000\nexport default { server: { port } }',
        'package.json': { type: 'commonjs' },
      },
    ]
    for (const each of files) {
      const { config, problems } = await read(t, each)
      assert.deepEqual(problems, [])
      assert.equal(config.server.port, 4000)
      assert.equal(config.server.host, defaults.server.host)
    }
  })

  test('the message about a file that is not an ES module says how to make it one', async (t) => {
    const files = { 'octavo.config.ts': 'export default {}', 'package.json': { type: 'commonjs' } }
    assert.match(String(await problemsIn(t, files)), /octavo\.config\.ts: is not an ES module: set "type"/)
  })

  test('options override variables, which override config/, which overrides octavo.config', async (t) => {
    const files = {
      'octavo.config.json': { server: { port: 1, host: 'a', bodyLimit: 1 }, api: { rest: { maxLimit: 50 } } },
      'config/server.json': { port: 2, host: 'b' },
    }
    const { config } = await read(t, files, { PORT: '3' }, { server: { bodyLimit: 4 } })
    assert.partialDeepStrictEqual(config, {
      server: { port: 3, host: 'b', bodyLimit: 4, url: null },
      api: { rest: { maxLimit: 50, defaultLimit: 25 } },
    })
  })

  test('roles, tokens and image formats are replaced, not merged', async (t) => {
    const find = { 'api::a.a': ['find'] }
    const { config, problems } = await read(t, {
      'octavo.config.json': { roles: { public: find }, upload: { images: { formats: { tiny: [10, 10] } } } },
      'config/roles.json': { authenticated: find },
    })
    assert.deepEqual(problems, [])
    assert.deepEqual(config.roles, { authenticated: find })
    assert.deepEqual(config.upload.images.formats, { tiny: [10, 10] })
    assert.equal(config.upload.images.quality, defaults.upload.images.quality)
  })

  test('other files under config/ are ignored', async (t) => {
    const files = { 'config/plugins.ts': 'syntax error(', 'config/notes.md': '#', 'config/env/x.json': '{' }
    assert.deepEqual(await problemsIn(t, files), [])
  })

  test('the path of an SQLite database is relative to the project folder', async (t) => {
    const urlOf = async (url: string) => {
      const { dir, config } = await read(t, {}, {}, { database: { url } })
      return config.database.url.replace(dir, '…')
    }
    assert.equal(await urlOf('sqlite:db/x.db'), 'sqlite:…/db/x.db')
    assert.equal(await urlOf('sqlite:/tmp/x.db'), 'sqlite:/tmp/x.db')
    assert.equal(await urlOf('sqlite:///tmp/x.db'), 'sqlite:///tmp/x.db')
    assert.equal(await urlOf('postgres://localhost/x'), 'postgres://localhost/x')
  })
})

/** The settings that may be 0, as documented for each. */
const MAY_BE_ZERO = [
  'server.port',
  'server.graceSeconds',
  'server.stuckSeconds',
  'database.statementSeconds',
  'log.slowQueryMs',
]

test('a number may be 0 only where that has a meaning, and has a sensible maximum', () => {
  const problems = (setting: (typeof numbers)[number][1], value: number) => {
    const notes: string[] = []
    setting.check(value, '', (_, message) => notes.push(message))
    return notes
  }
  const numbers = scalarSettings().filter(([, setting]) => setting.parse?.('7') === 7)
  assert.ok(numbers.length > 30)
  assert.deepEqual(
    numbers
      .filter(([, setting]) => problems(setting, 0).length === 0)
      .map(([path]) => path)
      .sort(),
    [...MAY_BE_ZERO].sort(),
  )
  for (const [path, setting] of numbers) {
    for (const value of [-1, 1.5, Number.NaN, 2 ** 53]) assert.ok(problems(setting, value).length > 0, path)
    if (/(Seconds|Lag|Minutes|Days)$/.test(path)) assert.ok(problems(setting, 10_000_000).length > 0, path)
  }
})

describe('an invalid configuration', () => {
  const wrong: readonly [what: string, config: unknown, line: string][] = [
    ['a section is an object', { server: 5 }, 'server: must be an object'],
    ['a section is known', { servr: {} }, 'servr: unknown setting "servr"; did you mean "server"?'],
    [
      'a setting is known',
      { api: { rest: { maxLimt: 5 } } },
      'api.rest.maxLimt: unknown setting "maxLimt"; did you mean "maxLimit"?',
    ],
    ['a number is a number', { server: { port: '80' } }, 'server.port: must be an integer from 0 to 65535'],
    ['a flag is a flag', { auth: { confirmEmail: 'no' } }, 'auth.confirmEmail: must be true or false'],
    ['a string is a string', { server: { host: 5 } }, 'server.host: must be a string'],
    [
      'a list is a list',
      { server: { trustedProxies: '10.0.0.1' } },
      'server.trustedProxies: must be a list of strings',
    ],
    [
      'an option is one of its values',
      { api: { rest: { compat: 'v4' } } },
      'api.rest.compat: must be one of none, strapi',
    ],
    [
      'a database URL is supported',
      { database: { url: 'mysql://x' } },
      'database.url: must be sqlite:PATH or postgres://…',
    ],
    [
      'a database is a file',
      { database: { url: 'sqlite::memory:' } },
      'database.url: must name a file: an in-memory database cannot be shared by connections',
    ],
    [
      'a database URL names a file',
      { database: { url: 'sqlite:' } },
      'database.url: must name a file: sqlite:PATH',
    ],
    [
      'a public address is the URL of a site',
      { server: { url: 'content.example.com:443' } },
      'server.url: must be a URL that starts with https:// or http://',
    ],
    [
      'a page of the front end has an absolute URL',
      { auth: { resetPasswordUrl: '/reset' } },
      'auth.resetPasswordUrl: must be a URL that starts with https:// or http://',
    ],
    [
      'a mail server has a URL',
      { email: { smtp: 'mail.example.com:587' } },
      'email.smtp: must be a URL that starts with smtp:// or smtps://',
    ],
    [
      'a trusted proxy is an address',
      { server: { trustedProxies: ['loopback', '::1', '10.0.0.0/8', 'proxy.internal'] } },
      'server.trustedProxies: "proxy.internal" is not an IP address, a network such as 10.0.0.0/8, or one of loopback, linklocal, uniquelocal',
    ],
    [
      'not every client is a trusted proxy',
      { server: { trustedProxies: ['0.0.0.0/0'] } },
      'server.trustedProxies: "0.0.0.0/0" is not an IP address, a network such as 10.0.0.0/8, or one of loopback, linklocal, uniquelocal',
    ],
    [
      'an origin has no path',
      { cors: { origins: ['https://a.example', 'capacitor://localhost', 'https://b.example/'] } },
      'cors.origins: "https://b.example/" is not an origin such as https://example.com: in lower case, without a path or *',
    ],
    [
      'an origin is written as browsers send it',
      { cors: { origins: ['null', 'https://B.example'] } },
      'cors.origins: "https://B.example" is not an origin such as https://example.com: in lower case, without a path or *',
    ],
    [
      'a list of origins does not stand for all',
      { cors: { origins: ['*'] } },
      'cors.origins: "*" is not an origin such as https://example.com: in lower case, without a path or *',
    ],
    [
      'a header can be sent',
      { cache: { control: 'public, max-age=60\n' } },
      'cache.control: must consist of printable ASCII characters',
    ],
    [
      'the admin app has a path of its own',
      { admin: { path: '/docs' } },
      'admin.path: must be a path such as /admin, and not below /api, /docs, /healthz, /metrics, /uploads',
    ],
    ['a port is a port', { server: { port: 70000 } }, 'server.port: must be an integer from 0 to 65535'],
    [
      'the default page is not larger than the largest',
      { api: { rest: { defaultLimit: 200 } } },
      'api.rest.defaultLimit: must not exceed api.rest.maxLimit (100)',
    ],
    ['there is a locale', { locales: { locales: [] } }, 'locales.locales: must have at least one locale'],
    [
      'the default locale is one of the locales',
      { locales: { default: 'de' } },
      'locales.default: must be one of the locales: en',
    ],
    [
      'a locale is a code',
      { locales: { locales: ['en', 'e n'] } },
      'locales.locales: "e n" is not a locale code such as en or pt-BR',
    ],
    [
      'locales differ',
      { locales: { locales: ['en', 'en'] } },
      'locales.locales: "en" is listed more than once',
    ],
    [
      'a role is an object',
      { roles: { public: ['find'] } },
      'roles.public: must be an object of content-type uids',
    ],
    [
      'permissions are lists',
      { roles: { public: { 'api::a.a': 'find' } } },
      'roles.public.api::a.a: must be a list of actions such as "find"',
    ],
    [
      'a permission has an action',
      { roles: { public: { 'api::a.a': [{ fields: [] }] } } },
      'roles.public.api::a.a.0.action: is required',
    ],
    [
      'a token has a known type',
      { tokens: { x: { type: 'root', token: 'x' } } },
      'tokens.x.type: must be one of read-only, full-access, custom',
    ],
    ['a token has a value', { tokens: { x: { type: 'custom' } } }, 'tokens.x: must have either token or env'],
    [
      'a format has a width and a height',
      { upload: { images: { formats: { big: 100 } } } },
      'upload.images.formats.big: must be a list of a width and a height',
    ],
  ]

  for (const [what, config, line] of wrong) {
    test(what, async (t) => {
      const [found = '', ...more] = await problemsIn(t, { 'octavo.config.json': config })
      assert.match(found, /^(octavo\.config\.json|configuration): /)
      assert.equal(found.replace(/^\S+ /, ''), line)
      assert.deepEqual(more, [])
    })
  }

  test('a problem in a file under config/ names the file and the full path', async (t) => {
    assert.deepEqual(await problemsIn(t, { 'config/api.json': { rest: { maxLimit: 'all' } } }), [
      'config/api.json: api.rest.maxLimit: must be an integer of at least 1',
    ])
  })

  test('a problem in a command-line option says so', async (t) => {
    assert.deepEqual(await problemsIn(t, {}, {}, { database: { url: 'x' } }), [
      'option: database.url: must be sqlite:PATH or postgres://…',
    ])
  })

  test('files that cannot be read are reported without a stack trace', async (t) => {
    const found = await problemsIn(t, {
      'octavo.config.ts': 'throw new Error("no secret")',
      'config/api.json': '{ "rest": ',
      'config/locales.ts': 'export const locales = 1',
      'src/api/a/content-types/a/schema.json': 'not json',
      'src/components/shared/seo.json': '',
    })
    assert.equal(found.length, 5)
    assert.equal(found[0], 'octavo.config.ts: cannot be loaded: no secret')
    assert.match(found[1] ?? '', /^config\/api\.json: is not valid JSON: /)
    assert.equal(found[2], 'config/locales.ts: has no default export')
    assert.match(found[3] ?? '', /^src\/api\/a\/content-types\/a\/schema\.json: is not valid JSON: /)
    for (const line of found) assert.doesNotMatch(line, /\n|node:internal/)
  })

  test('two files for the same settings conflict', async (t) => {
    const found = await problemsIn(t, {
      'octavo.config.json': {},
      'octavo.config.ts': 'export default {}',
      'config/api.json': {},
      'config/api.ts': 'export default {}',
    })
    assert.deepEqual(found, [
      'octavo.config.json: conflicts with octavo.config.ts; keep one of them',
      'config/api.ts: conflicts with config/api.json; keep one of them',
    ])
  })

  test('a folder that does not exist is reported', async () => {
    const { problems } = await readProject('/nowhere/at/all', {})
    assert.deepEqual(problems.map(formatProblem), ['/nowhere/at/all: the folder does not exist'])
  })
})

describe('the schema files of a project', () => {
  test('content-types, components and the user extension are found by their paths', async (t) => {
    const { sources, problems } = await read(t, {
      'src/api/blog/content-types/post/schema.json': { attributes: {} },
      'src/api/blog/content-types/author/schema.json': '\uFEFF{"attributes":{}}',
      'src/api/blog/content-types/author/lifecycles.js': 'x',
      'src/api/blog/controllers/post.js': 'x',
      'src/api/empty/content-types/.gitkeep': '',
      'src/components/shared/seo.json': { attributes: {} },
      'src/components/shared/readme.md': 'x',
      'src/extensions/users-permissions/content-types/user/schema.json': { attributes: {} },
      'src/extensions/users-permissions/strapi-server.js': 'x',
      'src/index.js': 'x',
    })
    assert.deepEqual(problems, [])
    assert.deepEqual(
      sources.map(({ kind, uid, file }) => `${kind} ${uid} ${file}`),
      [
        'type api::blog.author src/api/blog/content-types/author/schema.json',
        'type api::blog.post src/api/blog/content-types/post/schema.json',
        'component shared.seo src/components/shared/seo.json',
        'extension plugin::users-permissions.user src/extensions/users-permissions/content-types/user/schema.json',
      ],
    )
  })
})
