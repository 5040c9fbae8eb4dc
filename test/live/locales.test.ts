/** An admin adds, renames and removes locales of a running server, which writes them to the project folder. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEachEngine } from '../support/engines.ts'
import { writeFiles } from '../support/project-folder.ts'
import {
  collection,
  openProject,
  type ProjectServer,
  projectFolder,
  string,
  typeFile,
} from '../support/project-server.ts'

const localized = { pluginOptions: { i18n: { localized: true } } }
const FILE = 'config/locales.json'

onEachEngine((engine) => {
  let url: string
  let project: ProjectServer
  before(async () => {
    const page = collection('page', { title: { ...string, ...localized } }, localized)
    const folder = projectFolder({ [typeFile('page')]: page })
    url = await engine.freshUrl()
    project = await openProject(folder, url)
  })
  after(() => project?.remove())

  const codes = async () => {
    const { at } = await project.adminRequest('GET', '/locales')
    return at('data')
  }

  it('adds a locale that content can be written in at once', async () => {
    assert.deepEqual(await codes(), [{ code: 'en', name: null, isDefault: true }])
    const created = await project.adminRequest('POST', '/locales', {
      data: { code: 'pt-BR', name: 'Português' },
    })
    assert.equal(created.status, 201, created.text)
    assert.deepEqual(created.at('data'), { code: 'pt-BR', name: 'Português', isDefault: false })
    assert.deepEqual(JSON.parse(project.read(FILE)), {
      default: 'en',
      locales: ['en', 'pt-BR'],
      names: { 'pt-BR': 'Português' },
    })
    const page = await project.request('POST', '/api/pages?locale=pt-BR', { data: { title: 'Olá' } })
    assert.equal(page.at('data', 'locale'), 'pt-BR', page.text)
    assert.equal((await project.request('GET', '/api/i18n/locales')).at(1, 'name'), 'Português')
  })

  it('refuses codes that are none or known, and unknown members', async () => {
    for (const [data, message] of [
      [{ code: 'en' }, /listed more than once/],
      [{ code: 'not a code' }, /is not a locale code/],
      [{ code: '__proto__' }, /is not a locale code/],
      [{}, /code is required/],
      [{ code: 'fr', name: 7 }, /name must be a string/],
      [{ code: 'fr', isDefault: 'yes' }, /isDefault must be true or false/],
      [{ code: 'fr', nam: 'x' }, /nam/],
    ] as const) {
      const response = await project.adminRequest('POST', '/locales', { data })
      assert.equal(response.status, 400, response.text)
      assert.match(response.text, message)
    }
    assert.doesNotMatch(project.read(FILE), /fr|proto/)
  })

  it('renames a locale, and makes it the default of requests that name none', async () => {
    const named = await project.adminRequest('PUT', '/locales/pt-BR', { data: { name: 'Brasil' } })
    assert.equal(named.at('data', 'name'), 'Brasil')
    assert.equal((await project.request('GET', '/api/pages')).at('data', 'length'), 0)
    await project.adminRequest('PUT', '/locales/pt-BR', { data: { isDefault: true } })
    assert.equal((await project.request('GET', '/api/pages')).at('data', 0, 'title'), 'Olá')
    const refused = await project.adminRequest('PUT', '/locales/pt-BR', { data: { isDefault: false } })
    assert.equal(refused.status, 400)
    await project.adminRequest('PUT', '/locales/en', { data: { isDefault: true } })
    await project.adminRequest('PUT', '/locales/pt-BR', { data: { name: null } })
    assert.deepEqual(JSON.parse(project.read(FILE)), { default: 'en', locales: ['en', 'pt-BR'] })
    assert.equal((await project.adminRequest('PUT', '/locales/pt', { data: {} })).status, 404)
  })

  it('removes a locale with content only when that is confirmed, and keeps the content', async () => {
    const planned = await project.adminRequest('DELETE', '/locales/pt-BR?dryRun=true')
    assert.deepEqual(planned.at('meta', 'content'), [{ uid: 'api::page.page', documents: 1 }])
    const refused = await project.adminRequest('DELETE', '/locales/pt-BR')
    assert.equal(refused.status, 400)
    assert.match(refused.text, /api::page\.page: 1/)
    assert.equal((await project.adminRequest('DELETE', '/locales/en?confirm=true')).status, 400)
    assert.equal((await project.adminRequest('DELETE', '/locales/pt-BR?confirm=true')).status, 204)
    assert.equal((await project.request('GET', '/api/i18n/locales')).at('length'), 1)
    const written = await project.request('POST', '/api/pages?locale=pt-BR', { data: { title: 'Tchau' } })
    assert.equal(written.status, 400, written.text)
    await project.adminRequest('POST', '/locales', { data: { code: 'pt-BR' } })
    assert.equal((await project.request('GET', '/api/pages?locale=pt-BR')).at('data', 0, 'title'), 'Olá')
    const audit = await project.adminRequest('GET', '/audit?action=locale.delete')
    assert.equal(audit.at('data', 0, 'details', 'code'), 'pt-BR')
  })

  it('keeps the locales when content-types change, and after a restart', async () => {
    const page = (await project.adminRequest('GET', '/content-types/api::page.page')).at('data')
    assert.ok(typeof page === 'object' && page !== null)
    const attributes = { ...Object(Reflect.get(page, 'attributes')), text: string }
    const changed = await project.adminRequest('PUT', '/content-types/api::page.page', {
      data: { ...page, attributes },
    })
    assert.equal(changed.status, 200, changed.text)
    assert.equal((await project.request('GET', '/api/pages?locale=pt-BR')).status, 200)
    await project.close()
    project = await openProject(project.folder, url)
    assert.equal((await project.request('GET', '/api/pages?locale=pt-BR')).at('data', 0, 'title'), 'Olá')
  })

  it('says why locales cannot be changed where another source sets them, and in production', async () => {
    const reasons = async (options: Parameters<typeof openProject>[2]) => {
      await project.close()
      project = await openProject(project.folder, url, options)
      const { at } = await project.adminRequest('GET', '/locales')
      assert.equal(at('meta', 'editable'), false)
      for (const [method, path] of [
        ['POST', '/locales'],
        ['PUT', '/locales/en'],
        ['DELETE', '/locales/pt-BR'],
      ] as const) {
        const body = method === 'DELETE' ? undefined : { data: method === 'POST' ? { code: 'fr' } : {} }
        const response = await project.adminRequest(method, path, body)
        assert.equal(response.status, 403, response.text)
        assert.equal(response.at('error', 'message'), at('meta', 'reason'))
      }
      return at('meta', 'reason')
    }
    const before = project.read(FILE)
    assert.match(String(await reasons({ config: { locales: JSON.parse(before) } })), /program that starts/)
    assert.match(String(await reasons({ production: true })), /in production/)
    assert.equal(project.read(FILE), before)
    writeFiles(project.folder, { [FILE]: null, 'config/locales.mjs': `export default ${before}` })
    assert.match(String(await reasons({})), /set in config\/locales.mjs/)
  })
})
