/** A database with a model that has relations of every kind, and simple views of its content. */
import type { ChangeSink } from '../../src/documents/changes/change-record.ts'
import {
  createDocuments,
  type Documents,
  type WriteRequest,
  type Written,
} from '../../src/documents/documents.ts'
import { blueprintOf } from '../../src/documents/rows/blueprint.ts'
import { type ContentType, FILE, typeOf } from '../../src/model/model.ts'
import { systemScope } from '../../src/query/scope.ts'
import { compile } from '../../src/store/compile.ts'
import { migrate } from '../../src/store/migration/migrate.ts'
import { openStore } from '../../src/store/open.ts'
import { sql } from '../../src/store/sql.ts'
import type { Row, Statement } from '../../src/store/statement.ts'
import type { Store } from '../../src/store/store.ts'
import type { Entry } from '../../src/store/tables/entry.ts'
import { columnOf, EDGES, type Layout } from '../../src/store/tables/layout.ts'
import type { TestEngine } from '../support/engines.ts'
import { modelOfSchemas } from '../support/schemas.ts'

const localized = { pluginOptions: { i18n: { localized: true } } }

const type = (
  name: string,
  options: { drafts: boolean; localized: boolean; single?: boolean },
  attributes: Readonly<Record<string, unknown>>,
) => ({
  kind: options.single ? 'singleType' : 'collectionType',
  collectionName: `${name}s`,
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  options: { draftAndPublish: options.drafts },
  pluginOptions: { i18n: { localized: options.localized } },
  attributes,
})

const component = (attributes: Readonly<Record<string, unknown>>) => ({
  info: { displayName: 'part' },
  attributes,
})

const relation = (kind: string, target: string, more: Readonly<Record<string, unknown>> = {}) => ({
  type: 'relation',
  relation: kind,
  target: `api::${target}.${target}`,
  ...more,
})

/** Articles have drafts and locales, authors drafts only, tags and people neither. */
export const SCHEMAS = {
  'api::article.article': type(
    'article',
    { drafts: true, localized: true },
    {
      title: { type: 'string', required: true, minLength: 2, maxLength: 40, ...localized },
      slug: { type: 'uid', targetField: 'title', options: { generate: true }, ...localized },
      body: { type: 'text', ...localized },
      views: { type: 'integer', default: 0, min: 0 },
      code: { type: 'string', unique: true },
      big: { type: 'biginteger' },
      secret: { type: 'string', private: true },
      extra: { type: 'json' },
      cover: { type: 'media', multiple: false, allowedTypes: ['images'] },
      gallery: { type: 'media', multiple: true },
      author: relation('manyToOne', 'author', { inversedBy: 'articles' }),
      tags: relation('manyToMany', 'tag', { inversedBy: 'articles' }),
      editor: relation('oneToOne', 'person', { inversedBy: 'edits' }),
      parent: relation('manyToOne', 'article', { inversedBy: 'children' }),
      children: relation('oneToMany', 'article', { mappedBy: 'parent' }),
      related: relation('oneToMany', 'article'),
      place: { type: 'component', component: 'part.place', repeatable: false },
      parts: { type: 'component', component: 'part.section', repeatable: true, min: 1, max: 4, ...localized },
      zone: { type: 'dynamiczone', components: ['part.section', 'part.quote'], ...localized },
    },
  ),
  'api::author.author': type(
    'author',
    { drafts: true, localized: false },
    {
      name: { type: 'string', required: true },
      articles: relation('oneToMany', 'article', { mappedBy: 'author' }),
      friends: relation('manyToMany', 'author', { inversedBy: 'befriended' }),
      befriended: relation('manyToMany', 'author', { mappedBy: 'friends' }),
      notes: relation('morphMany', 'note', { morphBy: 'subjects' }),
    },
  ),
  'api::tag.tag': type(
    'tag',
    { drafts: false, localized: false },
    {
      label: { type: 'string', required: true, unique: true },
      password: { type: 'password', minLength: 6 },
      articles: relation('manyToMany', 'article', { mappedBy: 'tags' }),
      over: relation('manyToOne', 'tag', { inversedBy: 'under' }),
      under: relation('oneToMany', 'tag', { mappedBy: 'over' }),
    },
  ),
  'api::person.person': type(
    'person',
    { drafts: false, localized: false },
    {
      name: { type: 'string', required: true },
      edits: relation('oneToOne', 'article', { mappedBy: 'editor' }),
    },
  ),
  'api::note.note': type(
    'note',
    { drafts: false, localized: false },
    {
      text: { type: 'text' },
      path: { type: 'uid', targetField: 'text', maxLength: 8, options: { generate: true } },
      subjects: { type: 'relation', relation: 'morphToMany' },
      subject: { type: 'relation', relation: 'morphToOne' },
    },
  ),
  'api::home.home': type(
    'home',
    { drafts: true, localized: true, single: true },
    {
      headline: { type: 'string', required: true, ...localized },
      edition: { type: 'integer' },
    },
  ),
  'part.place': component({
    street: { type: 'string', required: true },
    zip: { type: 'string', regex: '^[0-9]{5}$' },
    near: relation('oneToMany', 'tag'),
    geo: { type: 'component', component: 'part.geo', repeatable: false },
  }),
  'part.geo': component({ lat: { type: 'float', required: true, min: -90, max: 90 } }),
  'part.section': component({
    title: { type: 'string', required: true },
    weight: { type: 'integer', default: 1 },
    hidden: { type: 'string', private: true },
    picture: { type: 'media', multiple: false, allowedTypes: ['images'] },
    tags: relation('oneToMany', 'tag'),
    items: { type: 'component', component: 'part.item', repeatable: true, max: 3 },
  }),
  'part.item': component({ label: { type: 'string', required: true }, tag: relation('oneToOne', 'tag') }),
  'part.quote': component({ text: { type: 'text', required: true } }),
}

export type Status = 'draft' | 'published'

export interface View {
  readonly status?: Status
  readonly locale?: string
}

export interface TestDatabase {
  readonly url: string
  readonly store: Store
  readonly layout: Layout
  readonly documents: Documents
  type(name: string): ContentType
  request(name: string, options?: Partial<WriteRequest>): WriteRequest
  /** Creates a document and returns its documentId. */
  create(name: string, data: unknown, view?: View): Promise<string>
  update(
    name: string,
    documentId: string,
    data: unknown,
    view?: View & { ifMatch?: string },
  ): Promise<Written>
  act(
    action: 'publish' | 'unpublish' | 'discard',
    name: string,
    documentId: string,
    locale?: string,
  ): Promise<Written>
  remove(name: string, documentId: string, locale?: string): Promise<void>
  /** Creates a file record with a MIME type. */
  file(mime?: string): Promise<{ id: number; documentId: string }>
  all(statement: Statement): Promise<readonly Row[]>
  /** The row of a version, or null. */
  row(name: string, documentId: string, view?: View): Promise<Row | null>
  /** The entries of a component or zone in a version. */
  entries(name: string, documentId: string, attribute: string, view?: View): Promise<readonly Entry[]>
  /** The documents of a relation or media attribute in order, of the version or of one entry in it. */
  related(
    name: string,
    documentId: string,
    attribute: string,
    view?: View,
    entry?: { id: number; component: string },
  ): Promise<readonly string[]>
  edges(): Promise<readonly Row[]>
  close(): Promise<void>
}

/** The served JSON of a row, parsed. */
export const servedOf = (row: Row | null): Record<string, unknown> =>
  JSON.parse(`{${String(row?.served ?? ',').slice(1)}}`)

export async function openTestDatabase(
  engine: TestEngine,
  options: {
    readonly now?: () => Date
    readonly url?: string
    readonly sinks?: readonly ChangeSink[]
  } = {},
): Promise<TestDatabase> {
  const { now, url = await engine.freshUrl(), sinks = [] } = options
  const store = await openStore(url)
  const { layout } = await migrate(store, modelOfSchemas(SCHEMAS))
  const documents = createDocuments({
    store,
    layout: () => layout,
    hashPassword: async (plain) => `hash of ${plain}`,
    ...(now && { now }),
    sinks,
  })
  const typeNamed = (name: string) => typeOf(layout.model, name === 'file' ? FILE : `api::${name}.${name}`)
  const all = (statement: Statement) => store.read(statement)
  const select = (query: Parameters<typeof compile>[1]) => all(compile(store.dialect, query))
  const request = (name: string, options: Partial<WriteRequest> = {}): WriteRequest => ({
    type: typeNamed(name),
    status: 'published',
    locale: null,
    scope: systemScope,
    ...options,
  })
  const viewed = ({ status, locale }: View = {}) => ({ ...(status && { status }), ...(locale && { locale }) })
  const keep = async (_: unknown, { documentId, locale, status }: Written) => ({ documentId, locale, status })
  const publishedFlag = (shown: ContentType, { status = 'published' }: View) =>
    shown.draftAndPublish && status === 'draft' ? 0 : 1
  const localeOf = (shown: ContentType, { locale = 'en' }: View) => (shown.localized ? locale : '')

  async function row(name: string, documentId: string, view: View = {}) {
    const shown = typeNamed(name)
    const [found] = await select(sql`select * from ${sql.table(shown.table)} where document_id = ${documentId}
      and published = ${publishedFlag(shown, view)} and locale = ${localeOf(shown, view)}`)
    return found ?? null
  }

  async function related(
    name: string,
    documentId: string,
    attribute: string,
    view: View = {},
    entry?: { id: number; component: string },
  ) {
    const blueprint = blueprintOf(layout, typeNamed(name))
    const inverse = entry ? undefined : blueprint.inverses.get(attribute)
    if (inverse) {
      const { owner, relation: number } = inverse
      const rows = await select(sql`select o.document_id from ${sql.table(EDGES)} as e
        join ${sql.table(owner.table)} as o on o.id = e.source
        where e.relation = ${number} and e.target = ${documentId} and o.published = ${publishedFlag(owner, view)}
        and o.locale = ${localeOf(owner, view)} order by e.inverse_position, e.source`)
      return rows.map((one) => String(one.document_id))
    }
    const number = entry
      ? blueprint.relationIn(entry.component, attribute)
      : (blueprint.owned.get(attribute)?.relation ?? 0)
    const source = Number((await row(name, documentId, view))?.id ?? 0)
    const rows = await select(sql`select target from ${sql.table(EDGES)}
      where relation = ${number} and source = ${source} and entry = ${entry?.id ?? 0} order by position`)
    return rows.map((one) => String(one.target))
  }

  return {
    url,
    store,
    layout,
    documents,
    type: typeNamed,
    request,
    all,
    row,
    related,
    create: async (name, data, view) =>
      (await documents.create(request(name, viewed(view)), data, keep)).documentId,
    update: (name, documentId, data, view) =>
      documents.update(
        request(name, viewed(view)),
        documentId,
        data,
        keep,
        view?.ifMatch === undefined ? {} : { ifMatch: view.ifMatch },
      ),
    act: (action, name, documentId, locale) =>
      documents[action](request(name, viewed({ ...(locale && { locale }) })), documentId, keep),
    remove: (name, documentId, locale) =>
      documents.remove(request(name, viewed({ ...(locale && { locale }) })), documentId),
    async file(mime = 'image/png') {
      const documentId = await documents.create(
        request('file'),
        { name: 'a', hash: 'h', mime, size: 1, url: '/a', provider: 'local' },
        async (_, written) => written.documentId,
      )
      return { documentId, id: Number((await row('file', documentId))?.id) }
    },
    async entries(name, documentId, attribute, view) {
      const text = (await row(name, documentId, view))?.[columnOf(attribute)] ?? null
      return text === null ? [] : JSON.parse(String(text))
    },
    edges: () => select(sql`select * from ${sql.table(EDGES)} order by relation, source, entry, position`),
    close: () => store.close(),
  }
}
