/** Notes and tags that refer to each other many times over, so that paths from one to another multiply with each hop. */
import type { OctavoServer } from '../../src/http/app.ts'
import type { Files } from './project-folder.ts'
import { collection, typeFile } from './project-server.ts'

export interface Counts {
  readonly notes: number
  readonly tags: number
  readonly tagsPerNote: number
}

const manyToMany = (target: string, more: object) => ({
  type: 'relation',
  relation: 'manyToMany',
  target,
  ...more,
})

/** The two content-types, which everyone may read. Notes have drafts and two locales. */
export const notesAndTags: Files = {
  [typeFile('note')]: collection(
    'note',
    { title: { type: 'string' }, tags: manyToMany('api::tag.tag', { inversedBy: 'notes' }) },
    { options: { draftAndPublish: true }, pluginOptions: { i18n: { localized: true } } },
  ),
  [typeFile('tag')]: collection('tag', {
    name: { type: 'string' },
    notes: manyToMany('api::note.note', { mappedBy: 'tags' }),
  }),
  'config/roles.json': {
    public: { 'api::note.note': ['find', 'findOne'], 'api::tag.tag': ['find', 'findOne'] },
  },
  'config/locales.json': { default: 'en', locales: ['en', 'de'] },
}

/** The numbers of a note's tags. Every tag has about the same number of notes. */
export const tagsOf = (note: number, { tags, tagsPerNote }: Counts): readonly number[] => [
  ...new Set(Array.from({ length: tagsPerNote }, (_, k) => (note * 7 + k * (1 + (note % 97))) % tags)),
]

const VERSIONS = ['en', 'de'].flatMap((locale) => [0, 1].map((published) => ({ locale, published })))
const NOW = '2026-01-01T00:00:00.000Z'
const BATCH = 500

/** Writes all documents in one transaction: requests would take minutes. The title of note 7 is "note 7", and so on. */
export async function fillNotesAndTags(server: OctavoServer, counts: Counts): Promise<void> {
  const relation = server.layout().relationId({ type: 'api::note.note', component: null, attribute: 'tags' })
  const rows: Record<'notes' | 'tags' | 'octavo_edges', string[]> = { notes: [], tags: [], octavo_edges: [] }
  const row = (id: number, documentId: string, locale: string, published: number, text: string) => {
    const name = documentId.startsWith('note') ? 'title' : 'name'
    const ends = `"createdAt":"${NOW}","updatedAt":"${NOW}","publishedAt":${published ? `"${NOW}"` : null}`
    const served = `,"documentId":"${documentId}","${name}":"${text}",${ends}${locale && `,"locale":"${locale}"`}`
    const publishedAt = published ? `'${NOW}'` : 'null'
    return `(${id}, '${documentId}', '${locale}', ${published}, '${NOW}', '${NOW}', ${publishedAt}, '${served}', '${text}')`
  }
  for (let tag = 0; tag < counts.tags; tag++) rows.tags.push(row(tag + 1, `tag${tag}`, '', 1, `tag ${tag}`))
  for (let note = 0; note < counts.notes; note++)
    for (const [index, { locale, published }] of VERSIONS.entries()) {
      const id = note * VERSIONS.length + index + 1
      rows.notes.push(row(id, `note${note}`, locale, published, `note ${note}`))
      for (const [position, tag] of tagsOf(note, counts).entries())
        rows.octavo_edges.push(`(${relation}, ${id}, 0, 'tag${tag}', ${published}, ${position}, ${note})`)
    }
  const version = 'id, document_id, locale, published, created_at, updated_at, published_at, served'
  const columns = {
    notes: `${version}, a_title`,
    tags: `${version}, a_name`,
    octavo_edges: 'relation, source, entry, target, published, position, inverse_position',
  }
  await server.store.write(async (transaction) => {
    for (const table of ['tags', 'notes', 'octavo_edges'] as const) {
      for (let at = 0; at < rows[table].length; at += BATCH) {
        const values = rows[table].slice(at, at + BATCH).join(', ')
        transaction.run({ sql: `INSERT INTO ${table} (${columns[table]}) VALUES ${values}`, parameters: [] })
      }
      transaction.touch(table)
    }
  })
}
