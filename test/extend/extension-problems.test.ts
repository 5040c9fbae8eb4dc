/** Unknown names in a project's code: refused at the start, logged when a change of the model makes them unknown. */
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { it } from 'node:test'
import type { Extension } from '../../src/http/extension/extension.ts'
import type { ConfigInput } from '../../src/project/config/config.ts'
import { onEachEngine } from '../support/engines.ts'
import { collection, openProject, projectFolder, string, typeFile } from '../support/project-server.ts'
import { waitUntil } from '../support/wait-until.ts'

const FILES = {
  [typeFile('note')]: collection('note', { text: string }),
  [typeFile('tag')]: collection('tag', { name: string }),
  [typeFile('motto')]: {
    kind: 'singleType',
    collectionName: 'mottos',
    info: { singularName: 'motto', pluralName: 'mottos', displayName: 'motto' },
    options: { draftAndPublish: true },
    attributes: { text: string },
  },
}

const deny = () => false
const nothing = () => undefined

/** Extensions with a problem, and the expected message. */
const UNKNOWN_NAMES: readonly [Extension, RegExp][] = [
  [
    { policies: { 'api::ntoe.note': { find: deny } } },
    /extend\.policies\.api::ntoe\.note: unknown content-type api::ntoe\.note; did you mean "api::note\.note"\?/,
  ],
  [{ policies: { '*': { find: deny } } }, /unknown content-type \*/],
  [{ policies: { 'plugin::upload.flie': { find: deny } } }, /did you mean "plugin::upload\.file"\?/],
  [
    { policies: { 'api::note.note': { fnid: deny } } },
    /extend\.policies\.api::note\.note\.fnid: unknown action fnid; did you mean "find"\?/,
  ],
  [{ policies: { 'api::note.note': { readDrafts: deny } } }, /unknown action readDrafts; use one of find, /],
  [{ policies: { 'api::note.note': { publish: deny } } }, /unknown action publish; use one of find, /],
  [{ policies: { 'api::motto.motto': { findOne: deny } } }, /unknown action findOne; use one of find, /],
  [
    { policies: { 'plugin::users-permissions.role': { publish: deny } } },
    /unknown action publish; use one of find/,
  ],
  [{ hooks: { 'api::nots.note': { before: { create: nothing } } } }, /unknown content-type api::nots\.note/],
  [
    { hooks: { 'api::motto.motto': { before: { create: nothing } } } },
    /extend\.hooks\.api::motto\.motto\.before\.create: unknown action create; use one of update, delete/,
  ],
  [{ hooks: { 'plugin::upload.file': { after: { create: nothing } } } }, /files have no hooks/],
  [{ find: { 'api::note.nope': { after: nothing } } }, /unknown content-type api::note\.nope/],
  [{ find: { 'plugin::users-permissions.role': { after: nothing } } }, /roles have no hooks/],
]

/** Problems that only a project without type checking can have. */
const WRONG_TYPES: readonly [NonNullable<ConfigInput['extend']>, RegExp][] = [
  [
    { policies: { 'api::note.note': { find: 'no' } } },
    /note\.find: must be a function or a list of functions/,
  ],
  [{ policies: { 'api::note.note': deny } }, /extend\.policies\.api::note\.note: must be an object/],
  [
    { hooks: { '*': { befor: {} } } },
    /befor: unknown key, expected before or after; did you mean "before"\?/,
  ],
  [{ hooks: { '*': { before: { crate: nothing } } } }, /unknown action crate; did you mean "create"\?/],
  [{ find: { 'api::note.note': { before: true } } }, /find\.api::note\.note\.before: must be a function/],
]

/** An extension that uses every valid name. */
const VALID: Extension = {
  policies: {
    'api::note.note': { find: deny, findOne: [deny, deny], create: deny, update: deny, delete: deny },
    'api::motto.motto': {
      find: deny,
      update: deny,
      delete: deny,
      publish: deny,
      unpublish: deny,
      discard: deny,
    },
    'plugin::upload.file': { find: deny, findOne: deny, upload: deny, update: deny, destroy: deny },
    'plugin::users-permissions.user': { find: deny, findOne: deny, create: deny, update: deny, delete: deny },
    'plugin::users-permissions.role': { find: deny },
    'plugin::i18n.locale': { find: deny },
  },
  hooks: {
    '*': { before: { discard: nothing } },
    'api::motto.motto': { after: { update: nothing, publish: nothing } },
    'plugin::users-permissions.user': { before: { create: nothing } },
  },
  find: {
    'api::motto.motto': { after: nothing },
    'plugin::upload.file': { after: nothing },
    'plugin::users-permissions.user': { before: nothing },
  },
}

onEachEngine((engine) => {
  it('a server does not start with an unknown name in its extension', async (t) => {
    const folder = projectFolder(FILES)
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    const url = await engine.freshUrl()
    for (const [extend, message] of UNKNOWN_NAMES)
      await assert.rejects(openProject(folder, url, { extend }), { name: 'ProjectError', message })
    for (const [extend, message] of WRONG_TYPES)
      await assert.rejects(openProject(folder, url, { config: { extend } }), { message })
    await (await openProject(folder, url, { extend: VALID })).close()
  })

  it('deleting a type that has policies is logged and affects no other type', async (t) => {
    const folder = projectFolder(FILES)
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    const url = await engine.freshUrl()
    const extend: Extension = { policies: { 'api::tag.tag': { find: deny } } }
    const project = await openProject(folder, url, { extend })
    const other = await openProject(folder, url, { extend })
    t.after(() => Promise.all([project.close(), other.close()]))
    assert.equal((await project.request('GET', '/api/tags')).status, 403)
    const deleted = await project.adminRequest('DELETE', '/content-types/api::tag.tag?confirm=true')
    assert.equal(deleted.status, 204, deleted.text)
    assert.equal((await project.request('GET', '/api/tags')).status, 404)
    assert.equal((await project.request('GET', '/api/notes')).status, 200)
    for (const { log } of [project, other])
      await waitUntil(() =>
        log.some((line) => /unknown content-type api::tag\.tag.*before the next start/.test(line)),
      )

    const back = { uid: 'api::tag.tag', ...collection('tag', { name: string }) }
    const made = await project.adminRequest('POST', '/content-types', { data: back })
    assert.equal(made.status, 201, made.text)
    assert.equal((await project.request('GET', '/api/tags')).status, 403)
  })

  it('a type with policies cannot be renamed', async (t) => {
    const folder = projectFolder(FILES)
    const extend: Extension = { policies: { 'api::tag.tag': { find: deny } } }
    const project = await openProject(folder, await engine.freshUrl(), { extend })
    t.after(() => project.remove())
    const label = collection('label', { name: string })
    const data = { uid: 'api::label.label', ...label }
    for (const query of ['?dryRun=true', '']) {
      const refused = await project.adminRequest('PUT', `/content-types/api::tag.tag${query}`, { data })
      assert.equal(refused.status, 400, refused.text)
      assert.match(
        String(refused.at('error', 'message')),
        /api::tag\.tag is used in extend .* api::label\.label/,
      )
    }
    assert.equal((await project.request('GET', '/api/labels')).status, 404)
    assert.equal((await project.request('GET', '/api/tags')).status, 403)
  })
})
