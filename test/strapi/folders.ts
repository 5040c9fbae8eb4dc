/** Folders of Strapi projects as they are found: generated ones, with the changes that projects make. */
import type { Files } from '../support/project-folder.ts'

const type = (name: string, attributes: object, more: object = {}) => ({
  kind: 'collectionType',
  collectionName: `${name}s`,
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  options: { draftAndPublish: true },
  pluginOptions: {},
  attributes,
  ...more,
})

/** A project in TypeScript, without "type": "module" in package.json. */
export const typescriptFolder: Files = {
  'package.json': {
    name: 'my-site',
    private: true,
    scripts: { develop: 'strapi develop', start: 'strapi start' },
    dependencies: { '@strapi/strapi': '5.23.0', '@strapi/plugin-users-permissions': '5.23.0', pg: '8.8.0' },
  },
  'tsconfig.json': { extends: '@strapi/typescript-utils/tsconfigs/server' },
  '.env': [
    'HOST=127.0.0.1',
    'PORT=4123',
    'APP_KEYS="first,second"',
    'JWT_SECRET=a-secret-that-is-long-enough-for-signing',
    'DATABASE_URL=postgres://strapi:secret@127.0.0.1:1/strapi',
    'DATABASE_CLIENT=postgres',
    'CORS_ORIGINS=["https://a.example.test", \'https://b.example.test/\', "b.example.test"]',
    'UPLOAD_OPTIONS={"limit":1048576}',
  ].join('\n'),
  'config/server.ts': `import { Core, type UID } from '@strapi/strapi'
import jobs from './cron-tasks'
import names from '../names.json'
const config = ({ env }: Core.Config.Shared.ConfigParams): Core.Config.Server => ({
  host: env('HOST', '0.0.0.0'),
  port: env.int('PORT', 1337),
  url: env('PUBLIC_ADDRESS', names.address),
  app: { keys: env.array('APP_KEYS') },
  proxy: { koa: env.bool('IS_PROXIED', true) },
  cron: { enabled: true, tasks: jobs },
})
export default config
`,
  'names.json': { address: 'https://cms.example.test' },
  'config/cron-tasks.ts': `import axios from 'axios'
const client = axios.create({ timeout: 10 })
export default { '0 1 * * *': () => client.get('/') }
`,
  'config/database.ts': `import path from 'path'
export default ({ env }) => {
  const client = env('DATABASE_CLIENT', 'sqlite')
  const connections = {
    postgres: { connection: { connectionString: env('DATABASE_URL'), ssl: env.bool('DATABASE_SSL', false) } },
    sqlite: { connection: { filename: path.join(__dirname, '..', '..', env('DATABASE_FILENAME', '.tmp/data.db')) } },
  }
  return { connection: { client, ...connections[client], acquireConnectionTimeout: env.int('TIMEOUT', 60000) } }
}
`,
  'config/api.ts': `export default {
  rest: { defaultLimit: 10, maxLimit: 40, withCount: true },
  responses: { privateAttributes: ['createdAt'] },
}
`,
  'config/admin.ts': `export default ({ env }) => ({
  auth: { secret: env('ADMIN_JWT_SECRET') },
  apiToken: { salt: env('API_TOKEN_SALT') },
})
`,
  'config/middlewares.ts': `export default ({ env }) => [
  'strapi::logger',
  'strapi::errors',
  { name: 'strapi::security', config: { contentSecurityPolicy: { useDefaults: true } } },
  { name: 'strapi::cors', config: { origin: env.array('CORS_ORIGINS'), headers: '*' } },
  { name: 'strapi::body', config: { jsonLimit: '3mb', formidable: { maxFileSize: 200 * 1024 * 1024 } } },
  'strapi::query',
  'global::request-timer',
]
`,
  'config/plugins.ts': `export default ({ env }) => ({
  i18n: { enabled: true, config: { defaultLocale: 'fr', locales: ['en', 'fr'] } },
  upload: {
    config: {
      provider: 'aws-s3',
      sizeLimit: env.json('UPLOAD_OPTIONS').limit,
      breakpoints: { large: 1000, tiny: 64 },
    },
  },
  'users-permissions': { config: { jwt: { expiresIn: '14d' }, register: { allowedFields: ['nickname'] } } },
  email: {
    config: {
      provider: 'nodemailer',
      providerOptions: { host: 'smtp.example.test', port: 587, auth: { user: 'me', pass: 'p@ss' } },
      settings: { defaultFrom: 'hello@example.test' },
    },
  },
  graphql: { config: { depthLimit: 7 } },
  'color-picker': { enabled: true },
})
`,
  'src/index.ts': `// import type { Core } from '@strapi/strapi';
export default {
  /** Runs before the application is set up. */
  register(/* { strapi }: { strapi: Core.Strapi } */) {},
  bootstrap(/* { strapi }: { strapi: Core.Strapi } */) {},
};
`,
  'src/admin/app.tsx': 'export default { config: { locales: [] }, bootstrap() {} }\n',
  'src/middlewares/request-timer.ts': 'export default () => async (ctx, next) => { await next() }\n',
  'src/api/article/content-types/article/schema.json': type(
    'article',
    {
      title: { type: 'string', required: true },
      color: { type: 'customField', customField: 'plugin::color-picker.color' },
      reviewer: { type: 'relation', relation: 'oneToOne', target: 'admin::user' },
      cover: { type: 'relation', relation: 'morphOne', target: 'plugin::upload.file', morphBy: 'related' },
      code: { type: 'string', regex: '(?=.*[0-9]).{8,}', conditions: { visible: true } },
      lost: { type: 'relation', relation: 'oneToMany', target: 'api::author.author', mappedBy: 'missing' },
      author: {
        type: 'relation',
        relation: 'manyToOne',
        target: 'api::author.author',
        inversedBy: 'articles',
      },
      zone: { type: 'dynamiczone', components: ['shared.seo', 'shared.gone'] },
      step: { type: 'relation', relation: 'oneToMany', target: 'plugin::steps.step' },
    },
    { options: { draftAndPublish: true, comment: '', reviewWorkflows: false } },
  ),
  'src/api/article/content-types/article/lifecycles.ts':
    'export default { beforeCreate(event) { event.params.data.slug = "x" } }\n',
  'src/api/article/controllers/article.ts': `import { factories } from '@strapi/strapi'
export default factories.createCoreController('api::article.article')
`,
  'src/api/article/services/article.ts': `import { factories } from '@strapi/strapi';

export default factories.createCoreService('api::article.article');
`,
  'src/api/article/routes/article.ts': `import { factories } from '@strapi/strapi';
export default factories.createCoreRouter('api::article.article');
`,
  'src/api/author/content-types/author/schema.json': type('author', {
    name: { type: 'string' },
    articles: { type: 'relation', relation: 'oneToMany', target: 'api::article.article', mappedBy: 'author' },
  }),
  'src/api/author/controllers/author.ts': `import { factories } from '@strapi/strapi'
export default factories.createCoreController('api::author.author', ({ strapi }) => ({
  async find(ctx) { return super.find(ctx) },
}))
`,
  'src/api/author/policies/is-owner.ts': 'export default (context) => Boolean(context.state.user)\n',
  'src/components/shared/seo.json': {
    collectionName: 'components_shared_seos',
    info: { displayName: 'Seo' },
    options: {},
    attributes: { title: { type: 'string' } },
  },
  'src/extensions/users-permissions/content-types/user/schema.json': type('user', {
    username: { type: 'string' },
    nickname: { type: 'string' },
  }),
  'src/extensions/users-permissions/strapi-server.ts': 'export default (plugin) => plugin\n',
  'src/plugins/steps/server/src/content-types/step/schema.json': type('step', { name: { type: 'string' } }),
  'src/plugins/steps/server/src/index.ts': 'export default { register() { console.log(1) } }\n',
  'types/generated/contentTypes.d.ts': 'declare module "@strapi/strapi" {}\n',
}

/** A project in JavaScript, whose files are CommonJS modules. */
export const javascriptFolder: Files = {
  'package.json': { name: 'blog', dependencies: { '@strapi/strapi': '^5.0.0', 'better-sqlite3': '11.3.0' } },
  // Strapi generates secrets of this length.
  '.env': 'HOST=127.0.0.1\nPORT=4124\nJWT_SECRET=q8Xk0mZb2Yt5Rw7Lp1Ns3A==\n',
  'config/server.js': `module.exports = ({ env }) => ({
  host: env('HOST', '0.0.0.0'),
  port: env.int('PORT', 1337),
  app: { keys: env.array('APP_KEYS', ['toBeModified']) },
});
`,
  'config/env/development/server.js': 'module.exports = { url: "https://development.example.test" };\n',
  'config/env/production/server.js': 'module.exports = { url: "https://production.example.test" };\n',
  'config/database.js': `const { parse } = require('pg-connection-string');
const { host } = parse(process.env.DATABASE_ADDRESS);
module.exports = () => ({ connection: { client: 'postgres', connection: { host: host.trim() } } });
`,
  'config/api.js': 'module.exports = { rest: { defaultLimit: 25, maxLimit: 100, withCount: true } };\n',
  'config/plugins.js': `const { defaults } = require('lodash');
module.exports = () => ({ upload: { config: defaults({}, {}) }, 'users-permissions': { config: { jwt: { expiresIn: '9d' } } } });
`,
  'config/cron-tasks.js': 'module.exports = { "* * * * *": ({ strapi }) => strapi.log.info("tick") };\n',
  'config/broken.js': 'throw new Error("not a setting of Strapi")\n',
  'config/middlewares.js': "module.exports = ['strapi::errors', 'strapi::cors', 'strapi::body'];\n",
  'src/index.js': `'use strict';

module.exports = {
  register(/*{ strapi }*/) {},

  async bootstrap({ strapi }) {
    await strapi.service('api::post.post').seed();
  },
};
`,
  'src/api/post/content-types/post/schema.json': type('post', {
    title: { type: 'string', minLength: 2 },
    slug: { type: 'uid', targetField: 'title' },
  }),
  'src/api/post/controllers/post.js': `'use strict';
const { createCoreController } = require('@strapi/strapi').factories;
module.exports = createCoreController('api::post.post');
`,
  'src/api/note/content-types/note/schema.js': 'module.exports = { attributes: {} };\n',
  'src/api/post/content-types/post/schema.ts': 'export default {}\n',
  'src/extensions/upload/content-types/file/schema.json': type('file', { copyright: { type: 'string' } }),
  'database/migrations/.gitkeep': '',
}

/** A project of Strapi 4 that has been in use: old keys of schemas, plugins with their options, conditions, no drafts. */
export const olderFolder: Files = {
  'package.json': {
    name: 'shop',
    dependencies: { '@strapi/strapi': '4.25.9', '@strapi/plugin-i18n': '4.25.9' },
  },
  '.env': 'APP_KEYS=a,b\nTRANSFER_TOKEN_SALT=salt\n',
  'config/server.js': `module.exports = ({ env }) => ({
  host: env('HOST', '127.0.0.1'),
  port: env.int('PORT', 4125),
  app: { keys: env.array('APP_KEYS') },
  webhooks: { populateRelations: env.bool('WEBHOOKS_POPULATE_RELATIONS', false) },
  cron: { enabled: env.oneOf('CRON', ['on', 'off'], 'off') === 'on' },
});
`,
  'config/plugins.js': `module.exports = ({ env }) => ({
  i18n: true,
  seo: { enabled: true },
  upload: { config: { sizeLimit: 50 * 1024 * 1024, breakpoints: { small: 500 } } },
});
`,
  'config/middlewares.js':
    "module.exports = ['strapi::errors', { resolve: './src/middlewares/timer', config: {} }, 'strapi::favicon'];\n",
  'src/index.js': 'module.exports = { register() {}, bootstrap() {} };\n',
  'src/api/product/content-types/product/schema.json': {
    kind: 'collectionType',
    collectionName: 'products',
    info: {
      singularName: 'product',
      pluralName: 'products',
      displayName: 'Product',
      name: 'product',
      icon: 'cart',
    },
    options: { increments: true, timestamps: true, comment: '' },
    pluginOptions: { 'content-manager': { visible: true }, i18n: { localized: true } },
    attributes: {
      name: {
        type: 'string',
        required: true,
        configurable: false,
        pluginOptions: { i18n: { localized: true } },
      },
      kind: { type: 'enumeration', enum: ['simple', 'bundle'], default: 'simple' },
      weight: {
        type: 'decimal',
        columnName: 'weight_kg',
        conditions: { visible: { '==': [{ var: 'kind' }, 'simple'] } },
      },
      tags: { type: 'relation', relation: 'manyToMany', target: 'api::label.label', inversedBy: 'products' },
      photos: { type: 'media', multiple: true, required: false, allowedTypes: ['images', 'files'] },
      meta: { type: 'component', repeatable: false, component: 'shared.meta-social' },
      blocks: { type: 'dynamiczone', components: ['shared.meta-social'], min: 0 },
    },
  },
  'src/api/label/content-types/label/schema.json': {
    kind: 'collectionType',
    collectionName: 'labels',
    info: { singularName: 'label', pluralName: 'labels', displayName: 'Label' },
    attributes: {
      text: { type: 'string', unique: true },
      products: {
        type: 'relation',
        relation: 'manyToMany',
        target: 'api::product.product',
        mappedBy: 'tags',
      },
    },
  },
  'src/components/shared/meta-social.json': {
    collectionName: 'components_shared_meta_socials',
    info: { displayName: 'metaSocial', icon: 'project-diagram' },
    options: {},
    attributes: {
      network: { type: 'enumeration', enum: ['one', 'two'], required: true },
      image: { type: 'media', multiple: false, allowedTypes: ['images'] },
    },
  },
}
