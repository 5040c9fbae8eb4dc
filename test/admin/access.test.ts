/** What the admin app offers to each role is what the server allows, on every route; and every read is one statement. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEachEngine } from '../support/engines.ts'
import { routesOf } from '../support/routes.ts'
import type { TestServer } from '../support/server.ts'
import { join, type Method, type Person, send, startTeamServer } from './team.ts'

const METHODS: readonly Method[] = ['GET', 'POST', 'PUT', 'DELETE']

const TEAM = ['admin', 'editor', 'author', 'reviewer'] as const

/** Routes that manage the server and the team. */
const ADMIN_ONLY =
  /^\/(tokens|roles|users|team|invitations|views|content-types|components|schema|locales|settings|about|end-users|permissions|audit|jobs|webhooks|indexes)\b/

const MISSING = 'aaaaaaaaaaaaaaaaaaaaaaaa'

interface OfferedType {
  readonly uid: string
  readonly actions: Readonly<Record<string, boolean>>
  readonly attributes: readonly {
    readonly name: string
    readonly type: string
    readonly readable: boolean
    readonly writable: { readonly create: boolean; readonly update: boolean }
  }[]
}

onEachEngine((engine) => {
  let running: TestServer
  const people = new Map<string, Person>()

  before(async () => {
    running = await startTeamServer(engine, { cache: { enabled: false, counts: false } })
    for (const role of TEAM) people.set(role, await join(running, role))
  })
  after(() => running?.close())

  const as = (role: string, method: Method, path: string, body?: unknown) =>
    send(running, method, path, people.get(role)?.cookie ?? null, body)

  async function offeredTo(role: string): Promise<readonly OfferedType[]> {
    const types = (await as(role, 'GET', '/me')).at('data', 'contentTypes')
    assert.ok(Array.isArray(types))
    return types
  }

  it('routes that manage the server are for admins, all others for the whole team', async () => {
    const routes = routesOf(running.server).flatMap(({ method, pattern }) => {
      const known = METHODS.find((one) => one === method)
      const isOther = /\/content\/|\/session|\/schema-version|setup|password|invitation\b/.test(pattern)
      return known && pattern.startsWith('/admin/api/') && !isOther ? [{ method: known, pattern }] : []
    })
    assert.ok(routes.length > 40)
    for (const { method, pattern } of routes) {
      const path = pattern.slice('/admin/api'.length).replaceAll(/:\w+/g, 'none')
      for (const role of TEAM) {
        const body = method === 'POST' || method === 'PUT' ? {} : undefined
        const { status } = await as(role, method, path, body)
        const isRefused = ADMIN_ONLY.test(path) && role !== 'admin'
        const isUpload = path.startsWith('/upload') && role === 'reviewer'
        assert.equal(
          status === 403,
          isRefused || (isUpload && status !== 405),
          `${role} ${method} ${path}: ${status}`,
        )
        assert.ok(status !== 401 && status < 500, `${role} ${method} ${path}: ${status}`)
      }
    }
  })

  it('each action is offered to a role exactly if the server does not refuse it', async () => {
    for (const role of TEAM) {
      const offered = new Map((await offeredTo(role)).map((type) => [type.uid, type]))
      for (const [path, type] of running.server.layout().model.endpoints) {
        if (type.kind === 'single') continue
        const attempts: Readonly<Record<string, readonly [Method, string]>> = {
          find: ['GET', ''],
          create: ['POST', ''],
          update: ['PUT', `/${MISSING}`],
          delete: ['DELETE', `/${MISSING}`],
          ...(type.history && { readHistory: ['GET', `/${MISSING}/history`] }),
          ...(type.draftAndPublish && {
            publish: ['POST', `/${MISSING}/actions/publish`],
            unpublish: ['POST', `/${MISSING}/actions/unpublish`],
            discard: ['POST', `/${MISSING}/actions/discard`],
            schedule: ['GET', `/${MISSING}/actions/schedule`],
          }),
        }
        for (const [action, [method, suffix]] of Object.entries(attempts)) {
          const body = method === 'PUT' || method === 'POST' ? { data: {} } : undefined
          const { status, text } = await as(role, method, `/content/${path}${suffix}`, body)
          const isOffered = offered.get(type.uid)?.actions[action] ?? false
          assert.equal(status !== 403, isOffered, `${role} ${action} ${type.uid}: ${status} ${text}`)
        }
      }
    }
  })

  it('each attribute is offered to a role exactly if the server shows it and takes it', async () => {
    for (const role of TEAM) {
      for (const { uid, actions, attributes } of await offeredTo(role)) {
        const type = running.server.layout().model.types.get(uid)
        if (!type || type.kind === 'single') continue
        for (const name of type.attributes.keys()) {
          const attribute = attributes.find((one) => one.name === name)
          if (actions.update) {
            const { text } = await as(role, 'PUT', `/content/${type.plural}/${MISSING}`, {
              data: { [name]: null },
            })
            const isRefused = text.includes(`Invalid key ${name}`)
            assert.equal(
              !isRefused,
              attribute?.writable.update ?? false,
              `${role} writes ${uid} ${name}: ${text}`,
            )
          }
          const isScalar = type.attributes.get(name)?.kind === 'scalar'
          const parameter = isScalar ? 'fields' : 'populate'
          const read = await as(role, 'GET', `/content/${type.plural}?${parameter}=${name}`)
          const isShown = read.status === 200 && read.headers['octavo-omitted'] === undefined
          assert.equal(isShown, attribute?.readable ?? false, `${role} reads ${uid} ${name}: ${read.text}`)
        }
      }
    }
  })

  it('every read is one statement, with everything that editors see', async () => {
    const topic = await as('editor', 'POST', '/content/topics', { data: { name: 'One' } })
    const topicId = String(topic.at('data', 'documentId'))
    const article = await as('editor', 'POST', '/content/articles', {
      data: { title: 'One', topic: topicId },
    })
    const id = String(article.at('data', 'documentId'))
    for (const role of TEAM) {
      for (const path of [
        '/articles?populate=*&sort=updatedAt:desc',
        '/articles?pagination[cursor]=start&filters[createdBy][$null]=false',
        `/articles/${id}?populate[topic][populate]=articles`,
        `/topics/${topicId}`,
      ]) {
        await as(role, 'GET', `/content${path}`)
        const before = running.server.store.statements.reads
        const { status, text } = await as(role, 'GET', `/content${path}`)
        assert.equal(status, 200, text)
        assert.equal(running.server.store.statements.reads - before, 1, `${role} ${path}`)
      }
    }
    await as('editor', 'GET', `/content/topics/${topicId}/used-by`)
    const before = running.server.store.statements.reads
    await as('editor', 'GET', `/content/topics/${topicId}/used-by`)
    assert.equal(running.server.store.statements.reads - before, 1)
  })
})
