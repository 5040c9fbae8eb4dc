/** The project under siege: documents that multiply through relations, private attributes, drafts, rules and a slow pattern. */
import { type Counts, notesAndTags, tagsOf } from '../test/support/notes-and-tags.ts'
import type { Files } from '../test/support/project-folder.ts'
import { collection, string, typeFile } from '../test/support/project-server.ts'

export const NOTE_COUNTS = {
  /** The numbers with which one read once blocked a server for a minute. */
  whole: { notes: 6_000, tags: 500, tagsPerNote: 5 },
  small: { notes: 1_000, tags: 100, tagsPerNote: 5 },
} as const satisfies Readonly<Record<string, Counts>>

export type Size = keyof typeof NOTE_COUNTS

/** The token of the ordinary clients. No attacker knows it, and no response or log may contain it. */
export const CLIENT_TOKEN = 'token-of-the-ordinary-clients-0123456789abcdef'
/** The value of a private attribute, which no response may contain. */
export const PRIVATE_VALUE = 'private-value-of-the-siege'
export const VAULT_VALUE = 'content-of-the-vault-of-the-siege'
/** The password of the ordinary client who signs in. Attackers guess it. */
export const PASSWORD = 'Password-0f-the-siege!'
export const USER_NAME = 'ordinary'
export const AUTH_SECRET = 'a secret of the siege that is long enough'

/** Must not appear in any response to an attacker, nor in the log. */
export const SECRETS: readonly string[] = [CLIENT_TOKEN, PRIVATE_VALUE, VAULT_VALUE, PASSWORD, AUTH_SECRET]

const relation = (kind: string, target: string, more: object = {}) => ({
  type: 'relation',
  relation: kind,
  target: `api::${target}.${target}`,
  ...more,
})

const ARTICLE = 'api::article.article'
const READ = ['find', 'findOne', '-readDrafts']
const { 'config/roles.json': roles, ...schemas } = notesAndTags

export const PROJECT: Files = {
  ...schemas,
  [typeFile('article')]: collection(
    'article',
    {
      title: string,
      approved: { type: 'boolean' },
      code: { type: 'string', regex: '^(a+)+$' },
      price: { type: 'decimal' },
      extra: { type: 'json' },
      body: { type: 'blocks' },
      secret: { type: 'string', private: true },
      pin: { type: 'password' },
      shelf: relation('manyToOne', 'shelf', { inversedBy: 'articles' }),
      vault: relation('manyToOne', 'vault'),
      cover: { type: 'media', multiple: false },
    },
    { options: { draftAndPublish: true } },
  ),
  [typeFile('shelf')]: collection('shelf', {
    name: string,
    articles: relation('oneToMany', 'article', { mappedBy: 'shelf' }),
  }),
  [typeFile('vault')]: collection('vault', { content: string }),
  'config/roles.json': {
    public: { ...Object(roles).public, [ARTICLE]: READ, 'api::shelf.shelf': READ },
    authenticated: {
      ...Object(roles).public,
      [ARTICLE]: [...READ, 'create', 'update', 'delete', { action: 'publish', filters: { approved: true } }],
      'api::shelf.shelf': [...READ, 'create', 'update'],
      'plugin::upload.file': ['upload'],
    },
  },
  'config/tokens.json': { clients: { type: 'full-access', token: CLIENT_TOKEN } },
}

/** The names of the tags of a note in their order, as a response contains them. */
export const tagNamesOf = (note: number, counts: Counts): readonly string[] =>
  tagsOf(note, counts).map((tag) => `tag ${tag}`)
