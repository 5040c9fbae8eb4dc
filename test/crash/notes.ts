/** The project of the crash test: every part of a note has the same text, so that a partly written note is detected. */
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

/** Creates the project folder. */
export function createProject(): string {
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

/** The body of a note that has the same text everywhere. */
export const noteBody = (text: string, tagIds: readonly string[]) =>
  JSON.stringify({
    data: { first: text, second: text, parts: [{ label: text }, { label: text }], tags: tagIds },
  })

export const tagBody = (name: string) => JSON.stringify({ data: { name } })
