/** A small project with private attributes of every kind, relations to users, and roles with rules. */

const type = (singular: string, plural: string, attributes: unknown, options: unknown = {}) => ({
  kind: 'collectionType',
  collectionName: plural,
  info: { singularName: singular, pluralName: plural, displayName: singular },
  options,
  attributes,
})

/** Tokens of `config/tokens.json`, by access. */
export const TOKENS = {
  full: 'full-token-of-the-access-tests-0123456789',
  readonly: 'read-only-token-of-the-access-tests-01234',
  custom: 'custom-token-of-the-access-tests-012345678',
}

const OWN = { owner: { id: '$user.id' } }

export const ROLES = {
  public: { 'api::topic.topic': ['find', 'findOne'], 'api::note.note': ['find'] },
  authenticated: { 'api::topic.topic': ['find'], 'api::note.note': ['find', 'findOne', 'create'] },
  author: {
    'api::topic.topic': ['find'],
    'plugin::users-permissions.user': [
      { action: 'find', fields: ['username'] },
      { action: 'update', filters: { id: '$user.id' } },
    ],
    'api::note.note': [
      { action: 'find', filters: OWN },
      { action: 'findOne', filters: OWN },
      { action: 'create', filters: OWN },
      { action: 'update', filters: OWN, fields: ['title'] },
      { action: 'delete', filters: OWN },
    ],
  },
}

export const PROJECT: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  [
    'src/api/note/content-types/note/schema.json',
    type(
      'note',
      'notes',
      {
        title: { type: 'string', required: true },
        secret: { type: 'string', private: true },
        level: { type: 'integer', private: true },
        pin: { type: 'password' },
        owner: {
          type: 'relation',
          relation: 'manyToOne',
          target: 'plugin::users-permissions.user',
          inversedBy: 'notes',
        },
        topic: { type: 'relation', relation: 'manyToOne', target: 'api::topic.topic', inversedBy: 'notes' },
        shadow: { type: 'relation', relation: 'manyToOne', target: 'api::topic.topic', private: true },
        vault: { type: 'relation', relation: 'manyToOne', target: 'api::vault.vault' },
        card: { type: 'component', component: 'shared.card' },
        cards: { type: 'component', component: 'shared.card', repeatable: true },
      },
      { draftAndPublish: true },
    ),
  ],
  [
    'src/api/topic/content-types/topic/schema.json',
    type('topic', 'topics', {
      name: { type: 'string', required: true },
      key: { type: 'string', private: true },
      notes: { type: 'relation', relation: 'oneToMany', target: 'api::note.note', mappedBy: 'topic' },
    }),
  ],
  ['src/api/vault/content-types/vault/schema.json', type('vault', 'vaults', { content: { type: 'string' } })],
  [
    'src/components/shared/card.json',
    {
      collectionName: 'components_shared_cards',
      info: { displayName: 'card' },
      attributes: { label: { type: 'string' }, code: { type: 'string', private: true } },
    },
  ],
  [
    'src/extensions/users-permissions/content-types/user/schema.json',
    {
      attributes: {
        nickname: { type: 'string' },
        apiKey: { type: 'string', private: true },
        notes: { type: 'relation', relation: 'oneToMany', target: 'api::note.note', mappedBy: 'owner' },
      },
    },
  ],
  ['config/roles.json', ROLES],
  [
    'config/tokens.json',
    {
      full: { type: 'full-access', token: TOKENS.full },
      readonly: { type: 'read-only', token: TOKENS.readonly },
      custom: { type: 'custom', token: TOKENS.custom, permissions: { 'api::note.note': ['find', 'update'] } },
    },
  ],
])
