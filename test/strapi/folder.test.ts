/** The folder of a Strapi project: it starts as it is, and says what it does not use. */
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { rejectOtherFolder } from '../../src/cli/project.ts'
import { checkStrapiFolder, describeStrapiFolder } from '../../src/cli/strapi/describe-folder.ts'
import { loadProject } from '../../src/model/load-project.ts'
import { launch, octavo } from '../support/command.ts'
import { createProjectFolder } from '../support/project-folder.ts'
import { javascriptFolder, olderFolder, typescriptFolder } from './folders.ts'

test('the settings of a TypeScript project are used where they have a counterpart', async (t) => {
  const { config, strapi } = await loadProject(createProjectFolder(t, typescriptFolder), {})
  assert.deepEqual(config.server, {
    ...config.server,
    host: '127.0.0.1',
    port: 4123,
    url: 'https://cms.example.test',
    bodyLimit: 3 * 1024 * 1024,
  })
  assert.deepEqual(config.api.rest, { ...config.api.rest, defaultLimit: 10, maxLimit: 40, compat: 'strapi' })
  assert.deepEqual(config.cors, {
    origins: ['https://a.example.test', 'https://b.example.test'],
    credentials: true,
  })
  assert.deepEqual(config.locales, { default: 'fr', locales: ['en', 'fr'], names: {} })
  assert.equal(config.upload.maxFileSize, 1_048_576)
  assert.deepEqual(config.upload.images.formats, {
    thumbnail: [245, 156],
    large: [1000, 1000],
    tiny: [64, 64],
  })
  assert.equal(config.auth.secret, 'a-secret-that-is-long-enough-for-signing')
  assert.equal(config.auth.longLivedDays, 14)
  assert.deepEqual(config.auth.registration.fields, ['nickname'])
  assert.deepEqual(config.email, {
    from: 'hello@example.test',
    smtp: 'smtp://me:p%40ss@smtp.example.test:587',
  })
  const unused = new Map(
    strapi?.settings.filter(({ isUsed }) => !isUsed).map((one) => [one.setting, one.counterpart]),
  )
  assert.match(unused.get('api.responses') ?? '', /private/)
  assert.match(unused.get('plugins.upload.provider (aws-s3)') ?? '', /upload\.s3/)
  assert.ok(unused.has('plugins.graphql') && unused.has('plugins.color-picker') && unused.has('admin.auth'))
  assert.ok(unused.has('middlewares global::request-timer') && unused.has('server.proxy'))
  assert.match(unused.get('middlewares strapi::cors origin b.example.test') ?? '', /https:/)
  assert.deepEqual(strapi?.unreadable, [])
})

test('the database of Strapi is not ours, wherever its address is', async (t) => {
  const folder = createProjectFolder(t, typescriptFolder)
  const own = `sqlite:${path.join(folder, '.octavo/data.db')}`
  const ofProcess = { DATABASE_URL: 'postgres://strapi@127.0.0.1:1/strapi' }
  for (const env of [{}, ofProcess]) {
    const { config, strapi } = await loadProject(folder, env)
    assert.equal(config.database.url, own)
    assert.ok(strapi?.settings.some(({ setting, isUsed }) => setting === 'database' && !isUsed))
  }
  const { config } = await loadProject(folder, { OCTAVO_DATABASE_URL: 'sqlite:other.db' })
  assert.equal(config.database.url, `sqlite:${path.join(folder, 'other.db')}`)
})

test('parts of a schema that only Strapi has are left out and listed', async (t) => {
  const { model, strapi } = await loadProject(createProjectFolder(t, typescriptFolder), {})
  const article = model.types.get('api::article.article')
  assert.deepEqual(
    [...(article?.attributes.keys() ?? [])],
    ['title', 'color', 'cover', 'code', 'author', 'zone', 'step'],
  )
  assert.equal(article?.attributes.get('cover')?.kind, 'media')
  assert.deepEqual(strapi?.leftOut.map((problem) => problem.path).sort(), [
    'attributes.code.regex',
    'attributes.lost.mappedBy',
    'attributes.reviewer.target',
    'attributes.zone.components',
  ])
  assert.ok(model.types.has('plugin::steps.step'))
  assert.ok(model.types.get('plugin::users-permissions.user')?.attributes.has('nickname'))
})

test('schemas that are code, and additions to files, are listed as not read', async (t) => {
  const { strapi } = await loadProject(createProjectFolder(t, javascriptFolder), {})
  assert.deepEqual(
    strapi?.leftOut.map(({ file, message }) => `${file} ${message.split(/[;:]/)[0]}`),
    [
      'src/api/note/content-types/note/schema.js is code',
      'src/extensions/upload/content-types/file/schema.json is not read',
    ],
  )
})

test('packages that are not installed do not keep the other settings from being read', async (t) => {
  const { config, strapi } = await loadProject(createProjectFolder(t, javascriptFolder), {})
  assert.equal(config.auth.longLivedDays, 9)
  assert.deepEqual(strapi?.unreadable, [])
  const folder = createProjectFolder(t, {
    ...javascriptFolder,
    'config/server.js':
      "const { port } = require('settings-of-ours');\nmodule.exports = { port: Number(port) };\n",
    'config/plugins.js': "module.exports = require('plugins-of-ours');\n",
  })
  assert.deepEqual(
    (await loadProject(folder, {})).strapi?.unreadable.map(({ file, message }) => `${file}: ${message}`),
    [
      'config/plugins.js: cannot be evaluated: its value comes from a package that is not installed',
      'config/server.js: cannot be loaded: the package settings-of-ours is not installed',
    ],
  )
})

test('the secret that Strapi generates signs tokens here too', async (t) => {
  const secretFor = async (env: Record<string, string>) =>
    (await loadProject(createProjectFolder(t, javascriptFolder), env)).config.auth.secret
  const secret = await secretFor({})
  assert.ok(secret !== null && secret.length >= 32 && !secret.includes('q8Xk0mZb2Yt5Rw7Lp1Ns3A'))
  assert.equal(await secretFor({}), secret)
  assert.equal(await secretFor({ JWT_SECRET: 'toBeModified' }), null)
})

test('a repository with a project inside is refused with the folder to pass', async (t) => {
  const folder = createProjectFolder(t, {
    'package.json': {},
    'cms/src/api/x.json': {},
    'web/package.json': {},
  })
  assert.throws(() => rejectOtherFolder(folder), new RegExp(`--project ${path.join(folder, 'cms')}$`))
})

test('code is listed with what takes its place, except for files as Strapi generates them', async (t) => {
  const typescript = await loadProject(createProjectFolder(t, typescriptFolder), {})
  assert.deepEqual(
    typescript.strapi?.code.map(({ file, kind }) => `${kind}: ${file}`),
    [
      'scheduled work: config/cron-tasks.ts',
      'admin app: src/admin',
      'lifecycles: src/api/article/content-types/article/lifecycles.ts',
      'controller: src/api/author/controllers/author.ts',
      'policy: src/api/author/policies/is-owner.ts',
      'plugin extension: src/extensions/users-permissions/strapi-server.ts',
      'middleware: src/middlewares/request-timer.ts',
      'plugin: src/plugins/steps',
    ],
  )
  const javascript = await loadProject(createProjectFolder(t, javascriptFolder), {})
  assert.deepEqual(
    javascript.strapi?.code.map(({ file, kind }) => `${kind}: ${file}`),
    ['scheduled work: config/cron-tasks.js', 'start-up code: src/index.js'],
  )
})

test('a folder of Strapi 4 is read, and what is different for its clients is said', async (t) => {
  const { model, strapi, config } = await loadProject(createProjectFolder(t, olderFolder), {})
  assert.ok(strapi)
  assert.deepEqual([...strapi.leftOut, ...strapi.unreadable], [])
  const product = model.types.get('api::product.product')
  assert.deepEqual(
    [product?.localized, product?.draftAndPublish, [...(product?.attributes.keys() ?? [])]],
    [true, false, ['name', 'kind', 'weight', 'tags', 'photos', 'meta', 'blocks']],
  )
  assert.equal(config.server.port, 4125)
  assert.match(describeStrapiFolder(strapi), /one of Strapi 4: .* by documentId/)
  assert.match(JSON.stringify(checkStrapiFolder(strapi)), /Upgrade it to Strapi 5/)
  const newer = await loadProject(createProjectFolder(t, javascriptFolder), {})
  assert.ok(newer.strapi && !/Strapi 4/.test(describeStrapiFolder(newer.strapi)))
})

test('a folder of Strapi 3 is refused with what to do', async (t) => {
  const folder = createProjectFolder(t, { 'package.json': { dependencies: { strapi: '3.6.8' } } })
  await assert.rejects(loadProject(folder, {}), /project of Strapi 3\.6\.8.*upgrade it to Strapi 5/)
})

test('a file for an environment overrides the general one', async (t) => {
  const folder = createProjectFolder(t, javascriptFolder)
  const urlIn = async (env: Record<string, string>) => (await loadProject(folder, env)).config.server.url
  assert.equal(await urlIn({}), 'https://development.example.test')
  assert.equal(await urlIn({ NODE_ENV: 'production' }), 'https://production.example.test')
})

test('octavo.config and the environment override the settings of Strapi', async (t) => {
  const folder = createProjectFolder(t, {
    ...typescriptFolder,
    'octavo.config.json': { api: { rest: { compat: 'none', maxLimit: 50 } } },
  })
  const { config } = await loadProject(folder, {
    PORT: '4999',
    OCTAVO_CORS_ORIGINS: '*',
    OCTAVO_CORS_CREDENTIALS: 'false',
  })
  assert.deepEqual(config.api.rest, { ...config.api.rest, compat: 'none', maxLimit: 50, defaultLimit: 10 })
  assert.equal(config.server.port, 4999)
  assert.equal(config.cors.origins, '*')
})

test('a configuration file that cannot be evaluated is named, and the others are used', async (t) => {
  const folder = createProjectFolder(t, {
    ...javascriptFolder,
    'config/plugins.js': "module.exports = () => { throw new Error('no key') };\n",
    'config/api.js': "module.exports = { rest: { defaultLimit: 'many', maxLimit: 7 } };\n",
  })
  const { strapi, config } = await loadProject(folder, {})
  assert.deepEqual(
    strapi?.unreadable.map(({ file, message }) => `${file}: ${message}`),
    ['config/plugins.js: cannot be evaluated: no key'],
  )
  assert.equal(config.server.port, 4124)
  assert.equal(config.api.rest.maxLimit, 7)
})

test('.env is read in every project, and variables of the process win', async (t) => {
  const folder = createProjectFolder(t, {
    '.env': 'PORT=4001\nOCTAVO_API_REST_MAX_LIMIT="60" # comment\n',
    'config/cache.json': {},
  })
  const { config, strapi } = await loadProject(folder, { PORT: '4002' })
  assert.equal(strapi, null)
  assert.equal(config.server.port, 4002)
  assert.equal(config.api.rest.maxLimit, 60)
})

test('start lists settings and counts code; doctor lists every file', async (t) => {
  const folder = createProjectFolder(t, javascriptFolder)
  const running = launch(['start', '--project', folder, '--port', '0'])
  try {
    const address = await running.address()
    assert.equal((await fetch(`${address}/api/posts`)).status, 403)
  } finally {
    await running.stop()
  }
  assert.match(running.output(), /This is a project of Strapi \(\^5\.0\.0\)/)
  assert.match(running.output(), /server\.app: not used/)
  assert.match(running.output(), /server\.port: used as server\.port/)
  assert.match(running.output(), /2 files with code that cannot run here/)
  const { out } = await octavo(['doctor', '--project', folder])
  assert.match(
    out,
    /! Code that cannot run here \(start-up code\): src\/index\.js\n {2}→ .*docs\/extending\.md/,
  )
})

test('the database file of Strapi is refused without a change', async (t) => {
  const folder = createProjectFolder(t, javascriptFolder)
  mkdirSync(path.join(folder, '.tmp'))
  const file = path.join(folder, '.tmp/data.db')
  const database = new DatabaseSync(file)
  database.exec(
    'create table strapi_core_store_settings (id integer primary key); create table posts (id integer)',
  )
  database.close()
  const before = readFileSync(file)
  const { code, err } = await octavo([
    'start',
    '--project',
    folder,
    '--port',
    '0',
    '--database',
    `sqlite:${file}`,
  ])
  assert.equal(code, 1)
  assert.match(err, /database of a Strapi project, which Octavo does not write to/)
  assert.deepEqual(readFileSync(file), before)
})
