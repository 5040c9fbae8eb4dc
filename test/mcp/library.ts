/** A project for tests of the MCP server: every kind of attribute that a schema can have, and tokens with different access. */
import type { ConfigInput } from '../../src/project/config/config.ts'
import { collection, component, componentFile, string, typeFile } from '../support/project-server.ts'

const relation = (kind: string, target: string, more: object = {}) => ({
  type: 'relation',
  relation: kind,
  target,
  ...more,
})

export const READER = 'reader-token-of-the-mcp-tests-0123456789'
export const WRITER = 'writer-token-of-the-mcp-tests-0123456789'
export const NOTHING = 'useless-token-of-the-mcp-tests-0123456789'

const ARTICLE = 'api::article.article'

export const library = {
  [typeFile('article')]: collection(
    'article',
    {
      title: { type: 'string', required: true },
      kind: { type: 'enumeration', enum: ['news', 'story'] },
      words: { type: 'integer', min: 0 },
      notes: string,
      author: relation('manyToOne', 'api::author.author', { inversedBy: 'articles' }),
      related: relation('manyToMany', ARTICLE),
      seo: { type: 'component', component: 'shared.seo' },
      blocks: { type: 'dynamiczone', components: ['block.quote', 'block.gallery'] },
      cover: { type: 'media', multiple: false, allowedTypes: ['images', 'files'] },
    },
    { options: { draftAndPublish: true, history: true }, pluginOptions: { i18n: { localized: true } } },
  ),
  [typeFile('author')]: collection('author', {
    name: { type: 'string', required: true },
    salary: { type: 'integer', private: true },
    articles: relation('oneToMany', ARTICLE, { mappedBy: 'author' }),
  }),
  [typeFile('homepage')]: {
    ...collection('homepage', { headline: string }),
    kind: 'singleType',
  },
  [typeFile('secret')]: collection('secret', { code: string }),
  [componentFile('shared.seo')]: component('shared.seo', { summary: { type: 'string', maxLength: 20 } }),
  [componentFile('block.quote')]: component('block.quote', {
    text: string,
    by: relation('oneToOne', 'api::author.author'),
  }),
  [componentFile('block.gallery')]: component('block.gallery', {
    pictures: { type: 'media', multiple: true },
  }),
  'config/locales.json': { default: 'en', locales: ['en', 'de'] },
}

/** Besides the token with full access of every project. */
export const tokens: ConfigInput['tokens'] = {
  reader: {
    type: 'custom',
    token: READER,
    permissions: {
      [ARTICLE]: [
        { action: 'find', filters: { kind: { $eq: 'news' } }, fields: ['title', 'kind'] },
        { action: 'findOne', filters: { kind: { $eq: 'news' } }, fields: ['title', 'kind'] },
        '-readDrafts',
      ],
    },
  },
  writer: {
    type: 'custom',
    token: WRITER,
    permissions: {
      [ARTICLE]: [
        'find',
        'findOne',
        { action: 'create', fields: ['title', 'kind'] },
        { action: 'update', fields: ['title'] },
        '-publish',
      ],
    },
  },
  nothing: { type: 'custom', token: NOTHING, permissions: {} },
}
