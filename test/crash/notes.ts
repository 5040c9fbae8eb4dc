/** The project of the crash test: notes whose every part repeats the same word, so that half a note cannot hide. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { schemaFile } from '../../src/project/source.ts'
import { writeFiles } from '../support/project-folder.ts'

const string = { type: 'string' }
const tags = { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag', inversedBy: 'notes' }
const notes = { type: 'relation', relation: 'manyToMany', target: 'api::note.note', mappedBy: 'tags' }
const parts = { type: 'component', component: 'shared.part', repeatable: true }

const type = (name: string, draftAndPublish: boolean, attributes: Record<string, unknown>) => ({
  kind: 'collectionType',
  collectionName: `${name}s`,
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  options: { draftAndPublish },
  attributes,
})

const actions = ['find', 'findOne', 'create', 'update', 'delete', 'publish']

/** Makes the project folder. */
export function makeProject(): string {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-crash-'))
  writeFiles(folder, {
    [schemaFile('type', 'api::note.note')]: type('note', true, {
      first: string,
      second: string,
      parts,
      tags,
    }),
    [schemaFile('type', 'api::tag.tag')]: type('tag', false, { name: string, notes }),
    [schemaFile('component', 'shared.part')]: {
      info: { displayName: 'part' },
      attributes: { label: string },
    },
    'config/roles.json': { public: { 'api::note.note': actions, 'api::tag.tag': actions } },
  })
  return folder
}

/** The body of a note that says one word everywhere. */
export const noteBody = (word: string, tagIds: readonly string[]) =>
  JSON.stringify({
    data: { first: word, second: word, parts: [{ label: word }, { label: word }], tags: tagIds },
  })

export const tagBody = (name: string) => JSON.stringify({ data: { name } })
