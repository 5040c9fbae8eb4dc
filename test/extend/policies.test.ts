/** Policies of a project's own code apply to every route, also to those of users, roles, locales and files. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { LOCALE } from '../../src/access/roles/permissions.ts'
import { FILE, ROLE, USER } from '../../src/model/model.ts'
import { request, signUp } from '../access/client.ts'
import { PROJECT, TOKENS } from '../access/project.ts'
import { onEachEngine } from '../support/engines.ts'
import { serve } from '../support/server.ts'
import { ALBUM, form, MULTIPART, startPolicyServer } from './policy-server.ts'

onEachEngine((engine) => {
  const p = startPolicyServer(engine)
  const stored = async () => {
    const response = await p.upload()
    assert.equal(response.status, 201, response.text)
    return { id: Number(response.at(0, 'id')), documentId: String(response.at(0, 'documentId')) }
  }
  /** Checks that the request succeeds, and is refused once the policy refuses it. Returns the documentId that the policy got. */
  async function assertRefusedBy(
    name: string,
    status: number,
    send: () => Promise<{ status: number; text: string }>,
  ) {
    const allowed = await send()
    assert.equal(allowed.status, status, allowed.text)
    p.calls.splice(0)
    p.refused.add(name)
    const response = await send()
    assert.deepEqual([response.status, JSON.parse(response.text).error.name], [403, 'ForbiddenError'])
    const [type, action] = name.split(' ')
    const call = p.calls.find((one) => one.type === type && one.action === action)
    assert.equal(call?.scope.principal.kind, 'token')
    p.refused.clear()
    return call?.documentId
  }

  describe('policies apply', () => {
    it('to GET /api/users', async () => {
      assert.equal(await assertRefusedBy(`${USER} find`, 200, () => p.get('/api/users')), null)
    })

    it('to GET /api/users/count', async () => {
      assert.equal(await assertRefusedBy(`${USER} find`, 200, () => p.get('/api/users/count')), null)
    })

    it('to GET /api/users/:id, with the documentId of the user', async () => {
      const about = await assertRefusedBy(`${USER} findOne`, 200, () => p.get(`/api/users/${p.ada.id}`))
      assert.equal(about, p.ada.documentId)
    })

    it('to POST /api/users', async () => {
      const role = await p.server.access.roles.documentIdOf('authenticated')
      let count = 0
      const create = () => {
        count += 1
        const [username, password] = [`made${count}`, 'a-Passw0rd']
        return p.full('POST', '/api/users', { username, password, email: `${username}@x.test`, role })
      }
      assert.equal(await assertRefusedBy(`${USER} create`, 201, create), null)
      assert.doesNotMatch((await p.get('/api/users')).text, /made2/)
    })

    it('to PUT and DELETE /api/users/:id', async () => {
      const { id, documentId } = await signUp(p.server, 'carla')
      const change = () => p.full('PUT', `/api/users/${id}`, { nickname: 'C' })
      assert.equal(await assertRefusedBy(`${USER} update`, 200, change), documentId)
      p.refused.add(`${USER} delete`)
      assert.equal((await p.full('DELETE', `/api/users/${id}`)).status, 403)
      assert.equal(p.calls.at(-1)?.documentId, documentId)
      p.refused.clear()
      assert.equal((await p.full('DELETE', `/api/users/${id}`)).status, 200)
    })

    it('to GET /api/users-permissions/roles and /api/i18n/locales', async () => {
      await assertRefusedBy(`${ROLE} find`, 200, () => p.get('/api/users-permissions/roles'))
      await assertRefusedBy(`${LOCALE} find`, 200, () => p.get('/api/i18n/locales'))
    })

    it("not to the caller's own account, which needs no permission", async () => {
      for (const action of ['find', 'findOne']) p.refused.add(`${USER} ${action}`)
      const own = await request(p.server, 'GET', '/api/users/me', { as: p.ada.jwt })
      assert.deepEqual([own.status, own.at('username')], [200, 'ada'])
    })

    it('to GET /api/upload/files and /api/upload/folders', async () => {
      await stored()
      assert.equal(await assertRefusedBy(`${FILE} find`, 200, () => p.get('/api/upload/files')), null)
      assert.equal(await assertRefusedBy(`${FILE} find`, 200, () => p.get('/api/upload/folders')), null)
    })

    it('to GET and DELETE /api/upload/files/:id, by either id', async () => {
      const { id, documentId } = await stored()
      for (const name of [id, documentId]) {
        const url = `/api/upload/files/${name}`
        assert.equal(await assertRefusedBy(`${FILE} findOne`, 200, () => p.get(url)), documentId)
      }
      p.refused.add(`${FILE} destroy`)
      assert.equal((await p.full('DELETE', `/api/upload/files/${id}`)).status, 403)
      assert.equal(p.calls.at(-1)?.documentId, documentId)
      p.refused.clear()
      assert.equal((await p.full('DELETE', `/api/upload/files/${id}`)).status, 200)
    })

    it('to POST /api/upload, for new and for changed files', async () => {
      assert.equal(await assertRefusedBy(`${FILE} upload`, 201, () => p.upload()), null)
      const { id, documentId } = await stored()
      const describe = () => p.full('POST', `/api/upload?id=${id}`, { fileInfo: { caption: 'c' } })
      assert.equal(await assertRefusedBy(`${FILE} update`, 200, describe), documentId)
    })

    it('to the document that an upload is attached to, and to publishing it', async () => {
      const refId = await p.make('/api/albums', { title: 'a' })
      const attach = () => p.upload({ ref: ALBUM, refId, field: 'sheets' })
      assert.equal(await assertRefusedBy(`${ALBUM} update`, 201, attach), refId)
      await assertRefusedBy(`${ALBUM} publish`, 201, attach)
      const drafts = await p.get(`/api/albums/${refId}?status=draft&fields=title`)
      p.refused.add(`${ALBUM} publish`)
      const toDraft = await p.upload({ ref: ALBUM, refId: String(drafts.at('data', 'id')), field: 'sheets' })
      assert.equal(toDraft.status, 201, toDraft.text)
    })

    it('to publishing, when a draft changes a relation that has no draft', async () => {
      const sleeve = await p.make('/api/sleeves', {})
      const album = await p.make('/api/albums', { title: 'A', sleeves: [sleeve] })
      const shown = async () => (await p.get(`/api/sleeves/${sleeve}?populate=album`)).at('data', 'album')
      const path = `/api/albums/${album}?status=draft`
      const put = (data: unknown) => () => p.full('PUT', path, { data })
      assert.equal(await assertRefusedBy(`${ALBUM} publish`, 200, put({ sleeves: [sleeve] })), album)
      p.refused.add(`${ALBUM} publish`)
      const unchanged = await shown()
      const operations = [{ method: 'PUT', path, body: { data: { sleeves: [] } } }]
      assert.equal((await p.full('POST', '/api/batch', { operations })).status, 403)
      const created = await p.full('POST', '/api/albums?status=draft', { data: { sleeves: [sleeve] } })
      assert.equal(created.status, 403)
      assert.deepEqual(await shown(), unchanged)
      assert.equal((await put({ title: 'B' })()).status, 200)
    })

    it('under the alias of an action', async (t) => {
      const policies = { [FILE]: { create: () => false, delete: () => false } }
      const other = await serve(PROJECT, await engine.freshUrl(), {}, { policies })
      t.after(() => other.close())
      const [as, headers] = [TOKENS.full, MULTIPART]
      const sent = await request(other.server, 'POST', '/api/upload', { as, headers, body: form({}) })
      assert.equal(sent.status, 403)
      assert.equal((await request(other.server, 'DELETE', '/api/upload/files/1', { as })).status, 403)
    })
  })
})
