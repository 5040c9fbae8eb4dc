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

const no = () => false
const nothing = () => undefined

/** Extensions with a problem, and the expected message. */
const MISTAKEN: readonly [Extension, RegExp][] = [
  [
    { policies: { 'api::ntoe.note': { find: no } } },
    /extend\.policies\.api::ntoe\.note: unknown content-type api::ntoe\.note; did you mean "api::note\.note"\?/,
  ],
  [{ policies: { '*': { find: no } } }, /unknown content-type \*/],
  [{ policies: { 'plugin::upload.flie': { find: no } } }, /did you mean "plugin::upload\.file"\?/],
  [
    { policies: { 'api::note.note': { fnid: no } } },
    /extend\.policies\.api::note\.note\.fnid: unknown action fnid; did you mean "find"\?/,
  ],
  [{ policies: { 'api::note.note': { readDrafts: no } } }, /unknown action readDrafts; use one of find, /],
  [{ policies: { 'api::note.note': { publish: no } } }, /unknown action publish; use one of find, /],
  [{ policies: { 'api::motto.motto': { findOne: no } } }, /unknown action findOne; use one of find, /],
  [
    { policies: { 'plugin::users-permissions.role': { create: no } } },
    /unknown action create; use one of find/,
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

/** The same where only a project that is not type-checked goes wrong. */
const MISSHAPEN: readonly [NonNullable<ConfigInput['extend']>, RegExp][] = [
  [
    { policies: { 'api::note.note': { find: 'no' } } },
    /note\.find: must be a function or a list of functions/,
  ],
  [{ policies: { 'api::note.note': no } }, /extend\.policies\.api::note\.note: must be an object/],
  [
    { hooks: { '*': { befor: {} } } },
    /befor: unknown key, expected before or after; did you mean "before"\?/,
  ],
  [{ hooks: { '*': { before: { crate: nothing } } } }, /unknown action crate; did you mean "create"\?/],
  [{ find: { 'api::note.note': { before: true } } }, /find\.api::note\.note\.before: must be a function/],
]

/** Everything that can be named. */
const RIGHT: Extension = {
  policies: {
    'api::note.note': { find: no, findOne: [no, no], create: no, update: no, delete: no },
    'api::motto.motto': { find: no, update: no, delete: no, publish: no, unpublish: no, discard: no },
    'plugin::upload.file': { find: no, findOne: no, upload: no, update: no, destroy: no },
    'plugin::users-permissions.user': { find: no, findOne: no, create: no, update: no, delete: no },
    'plugin::users-permissions.role': { find: no },
    'plugin::i18n.locale': { find: no },
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
    for (const [extend, told] of MISTAKEN)
      await assert.rejects(openProject(folder, url, { extend }), { name: 'ProjectError', message: told })
    for (const [extend, told] of MISSHAPEN)
      await assert.rejects(openProject(folder, url, { config: { extend } }), { message: told })
    await (await openProject(folder, url, { extend: RIGHT })).close()
  })

  it('deleting a type that has policies is logged and affects no other type', async (t) => {
    const folder = projectFolder(FILES)
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    const url = await engine.freshUrl()
    const extend: Extension = { policies: { 'api::tag.tag': { find: no } } }
    const world = await openProject(folder, url, { extend })
    const other = await openProject(folder, url, { extend })
    t.after(() => Promise.all([world.close(), other.close()]))
    assert.equal((await world.request('GET', '/api/tags')).status, 403)
    const gone = await world.adminRequest('DELETE', '/content-types/api::tag.tag?confirm=true')
    assert.equal(gone.status, 204, gone.text)
    assert.equal((await world.request('GET', '/api/tags')).status, 404)
    assert.equal((await world.request('GET', '/api/notes')).status, 200)
    for (const { log } of [world, other])
      await waitUntil(() =>
        log.some((line) => /unknown content-type api::tag\.tag.*before the next start/.test(line)),
      )

    const back = { uid: 'api::tag.tag', ...collection('tag', { name: string }) }
    const made = await world.adminRequest('POST', '/content-types', { data: back })
    assert.equal(made.status, 201, made.text)
    assert.equal((await world.request('GET', '/api/tags')).status, 403)
  })

  it('a type with policies cannot be renamed', async (t) => {
    const folder = projectFolder(FILES)
    const extend: Extension = { policies: { 'api::tag.tag': { find: no } } }
    const world = await openProject(folder, await engine.freshUrl(), { extend })
    t.after(() => world.remove())
    const label = collection('label', { name: string })
    const data = { uid: 'api::label.label', ...label }
    for (const query of ['?dryRun=true', '']) {
      const refused = await world.adminRequest('PUT', `/content-types/api::tag.tag${query}`, { data })
      assert.equal(refused.status, 400, refused.text)
      assert.match(
        String(refused.at('error', 'message')),
        /api::tag\.tag is used in extend .* api::label\.label/,
      )
    }
    assert.equal((await world.request('GET', '/api/labels')).status, 404)
    assert.equal((await world.request('GET', '/api/tags')).status, 403)
  })
})
