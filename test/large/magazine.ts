/** The schema folder of a magazine: 15 content-types and 35 components, with zones of nested components. */

import type { Files } from '../support/project-folder.ts'
import { componentFile, collection as plain, typeFile } from '../support/project-server.ts'

const localized = { pluginOptions: { i18n: { localized: true } } }
const string = { type: 'string', ...localized }
const image = { type: 'media', multiple: false, required: false, allowedTypes: ['images'], ...localized }

/** Keys of other tools, which are ignored. */
const ELSEWHERE = {
  'content-manager': { visible: true },
  'content-type-builder': { visible: true },
}

const type = (name: string, attributes: object, kind = 'collectionType') => ({
  ...plain(name, attributes),
  kind,
  info: {
    singularName: name,
    pluralName: `${name}-list`,
    displayName: name.toUpperCase(),
    description: `About ${name}`,
    name,
    icon: 'pen',
  },
  options: { draftAndPublish: true, increments: true, timestamps: true, comment: '' },
  pluginOptions: { i18n: { localized: true }, ...ELSEWHERE },
})

const component = (uid: string, attributes: object) => ({
  collectionName: `components_${uid.replace('.', '_')}s`,
  info: { displayName: uid, icon: 'cube', description: '' },
  options: {},
  attributes,
  config: {},
})

const list = (uid: string) => ({ type: 'component', repeatable: true, component: uid })
const one = (uid: string) => ({ type: 'component', repeatable: false, component: uid })
const range = (count: number) => Array.from({ length: count }, (_, index) => index)

/** Ten leaves, ten groups of leaves, ten sections of groups, and five for the page around them. */
function components(): [string, object][] {
  const leaves = range(10).map((n): [string, object] => [
    `elements.leaf-${n}`,
    {
      label: { type: 'string', required: n % 2 === 0 },
      href: { type: 'string', regex: '^(/|https?://)', default: '/' },
      kind: { type: 'enumeration', enum: ['primary', 'secondary'], default: 'primary' },
      icon: { type: 'media', multiple: false, allowedTypes: ['images', 'files'] },
      weight: { type: 'decimal', min: 0, max: 100 },
    },
  ])
  const groups = range(10).map((n): [string, object] => [
    `blocks.group-${n}`,
    {
      title: { type: 'string' },
      leaves: list(`elements.leaf-${n}`),
      first: one(`elements.leaf-${(n + 1) % 10}`),
      body: { type: 'blocks' },
      story: { type: 'relation', relation: 'oneToOne', target: 'api::story.story' },
    },
  ])
  const sections = range(10).map((n): [string, object] => [
    `sections.section-${n}`,
    {
      heading: { type: 'string', maxLength: 120 },
      color: {
        type: 'customField',
        customField: 'plugin::color-picker.color',
        regex: '^#(?:[0-9a-fA-F]{3}){1,2}$',
      },
      groups: list(`blocks.group-${n}`),
      extra: one(`blocks.group-${(n + 3) % 10}`),
      topics: { type: 'relation', relation: 'oneToMany', target: 'api::topic.topic' },
    },
  ])
  return [
    ...leaves,
    ...groups,
    ...sections,
    [
      'shared.seo',
      {
        metaTitle: { type: 'string', required: true, maxLength: 60 },
        card: one('shared.card'),
        data: { type: 'json' },
      },
    ],
    ['shared.card', { image: { type: 'media', multiple: false }, text: { type: 'text' } }],
    ['shared.address', { street: { type: 'string' }, geo: one('shared.geo') }],
    ['shared.geo', { lat: { type: 'float' }, lng: { type: 'float' } }],
    ['layout.menu', { entries: list('elements.leaf-0'), footer: one('elements.leaf-1') }],
  ]
}

const relation = (kind: string, target: string, more: object = {}) => ({
  type: 'relation',
  relation: kind,
  target: `api::${target}.${target}`,
  ...more,
})

function types(): [string, object][] {
  const zone = {
    type: 'dynamiczone',
    components: range(10).flatMap((n) => [`sections.section-${n}`, `blocks.group-${n}`]),
    ...localized,
  }
  const page = {
    title: { ...string, required: true },
    slug: { type: 'uid', targetField: 'title' },
    seo: one('shared.seo'),
    zone,
  }
  return [
    [
      'story',
      type('story', {
        ...page,
        lead: { type: 'richtext', ...localized },
        cover: image,
        gallery: { type: 'media', multiple: true, allowedTypes: ['images', 'videos', 'files', 'audios'] },
        authors: relation('manyToMany', 'author', { inversedBy: 'stories' }),
        issue: relation('manyToOne', 'issue', { inversedBy: 'stories' }),
        topics: relation('manyToMany', 'topic', { inversedBy: 'stories' }),
        editor: { type: 'relation', relation: 'manyToOne', target: 'plugin::users-permissions.user' },
      }),
    ],
    [
      'author',
      type('author', {
        name: { type: 'string', required: true, unique: true },
        mail: { type: 'email', private: true },
        portrait: image,
        address: one('shared.address'),
        stories: relation('manyToMany', 'story', { mappedBy: 'authors' }),
        profile: relation('oneToOne', 'profile', { inversedBy: 'author' }),
      }),
    ],
    [
      'profile',
      type('profile', { ...page, author: relation('oneToOne', 'author', { mappedBy: 'profile' }) }),
    ],
    [
      'issue',
      type('issue', {
        ...page,
        number: { type: 'integer', unique: true },
        published: { type: 'date' },
        stories: relation('oneToMany', 'story', { mappedBy: 'issue' }),
      }),
    ],
    [
      'topic',
      type('topic', {
        name: string,
        parent: relation('manyToOne', 'topic', { inversedBy: 'children' }),
        children: relation('oneToMany', 'topic', { mappedBy: 'parent' }),
        stories: relation('manyToMany', 'story', { mappedBy: 'topics' }),
      }),
    ],
    [
      'comment',
      type('comment', { text: { type: 'text' }, about: { type: 'relation', relation: 'morphToOne' } }),
    ],
    [
      'subscriber',
      type('subscriber', {
        mail: { type: 'email', required: true },
        since: { type: 'datetime' },
        secret: { type: 'password' },
      }),
    ],
    ...range(4).map((n): [string, object] => [
      `page-${n}`,
      type(`page-${n}`, { ...page, next: relation('oneToOne', `page-${(n + 1) % 4}`) }),
    ]),
    ['home', type('home', { ...page, top: relation('oneToMany', 'story') }, 'singleType')],
    ['imprint', type('imprint', page, 'singleType')],
    ['menu', type('menu', { menu: one('layout.menu'), banner: image }, 'singleType')],
    [
      'settings',
      type(
        'settings',
        {
          name: { type: 'string' },
          opening: { type: 'time' },
          visits: { type: 'biginteger' },
          open: { type: 'boolean' },
        },
        'singleType',
      ),
    ],
  ]
}

/** All files, by path. */
export const magazine = (): Files => ({
  ...Object.fromEntries(types().map(([name, schema]) => [typeFile(name), schema])),
  ...Object.fromEntries(
    components().map(([uid, attributes]) => [componentFile(uid), component(uid, attributes)]),
  ),
  'config/locales.json': { default: 'en', locales: ['en', 'de'] },
})
