/** Schedules over the network: documents are published and unpublished at a time. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { SCHEDULES } from '../../src/documents/schedules/tables.ts'
import { SYSTEM } from '../../src/events/audit/audit-record.ts'
import { readEventsAfter, readRange } from '../../src/events/outbox/read-events.ts'
import { listJobs } from '../../src/jobs/list.ts'
import { JOBS } from '../../src/jobs/tables.ts'
import { compile } from '../../src/store/compile.ts'
import { sql } from '../../src/store/sql.ts'
import { octavo } from '../support/command.ts'
import { onEachEngine } from '../support/engines.ts'
import { waitUntil } from '../support/wait-until.ts'
import { ARTICLE, type CallerName, PAGE, type ScheduleServer, startScheduleServer } from './project.ts'

const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()
const HOUR = 3_600_000

onEachEngine((engine) => {
  let running: ScheduleServer
  let url = ''
  before(async () => {
    url = await engine.freshUrl()
    running = await startScheduleServer(url)
    await running.send('PUT', '/api/home?status=draft', { data: { title: 'Home' } })
  })
  after(() => running.close())

  const schedule = (path: string, body: object, caller?: CallerName) =>
    running.send('POST', `/api/${path}/actions/schedule`, body, caller)
  const page = (data: object = {}) => running.create('pages', { title: 'A page', ...data })
  const scheduledJobs = async () =>
    (await listJobs(running.server.store, 100)).filter(({ kind }) => kind === 'schedules')

  async function eventsOf(documentId: string, after: number) {
    const events = await readEventsAfter(running.server.store, after)
    return events.filter((one) => one.documentId === documentId)
  }

  describe('a schedule', () => {
    it('publishes a draft at its time and unpublishes it later, once each, in the name of its author', async () => {
      const { newest } = await readRange(running.server.store)
      const id = await page()
      const [publishAt, unpublishAt] = [inMs(300), inMs(1_200)]
      const response = await schedule(`pages/${id}`, { publishAt, unpublishAt })
      assert.equal(response.status, 200, response.text)
      assert.deepEqual(response.at(), {
        data: { documentId: id, locale: null, publishAt, unpublishAt },
        meta: {},
      })
      assert.equal(await running.isPublished('pages', id), false)
      await waitUntil(async () => (await eventsOf(id, newest)).length === 3)
      const events = await eventsOf(id, newest)
      assert.deepEqual(
        events.map(({ event }) => event),
        ['document.create', 'document.publish', 'document.unpublish'],
      )
      assert.equal(new Set(events.map(({ author }) => author)).size, 1)
      assert.match(events[1]?.author ?? '', /^token:/)
      const lateBy = events
        .slice(1)
        .map(({ at }, index) => Date.parse(at) - Date.parse([publishAt, unpublishAt][index] ?? ''))
      assert.ok(
        lateBy.every((ms) => ms >= 0),
        `${lateBy}`,
      )
      const now = await running.send('GET', `/api/pages/${id}/actions/schedule`)
      assert.deepEqual(now.at('data'), { documentId: id, locale: null, publishAt: null, unpublishAt: null })
    })

    it('applies to one locale, from the body or the query string, and to single types', async () => {
      const id = await running.create('articles', { title: 'English' })
      await running.send('PUT', `/api/articles/${id}?locale=fr&status=draft`, { data: { title: 'Français' } })
      const soon = inMs(100)
      const response = await schedule(`articles/${id}`, { data: { publishAt: soon, locale: 'fr' } })
      assert.deepEqual(
        [response.at('data', 'locale'), response.at('data', 'publishAt')],
        ['fr', soon],
        response.text,
      )
      await waitUntil(() => running.isPublished('articles', id, 'locale=fr'))
      assert.equal(await running.isPublished('articles', id), false)
      const inQuery = await running.send('POST', `/api/articles/${id}/actions/schedule?locale=en`, {
        publishAt: inMs(HOUR),
      })
      assert.equal(inQuery.at('data', 'locale'), 'en')
      assert.equal((await schedule('home', { publishAt: soon })).status, 200)
      await waitUntil(async () => (await running.send('GET', '/api/home')).status === 200)
      assert.equal((await running.send('GET', '/api/home/actions/schedule')).at('data', 'publishAt'), null)
    })

    it('is replaced by a later request, and cancelled with null', async () => {
      const id = await page()
      await schedule(`pages/${id}`, { publishAt: inMs(HOUR), unpublishAt: inMs(3 * HOUR) })
      const later = inMs(2 * HOUR)
      const moved = await schedule(`pages/${id}`, { publishAt: later })
      assert.equal(moved.at('data', 'publishAt'), later)
      assert.equal((await scheduledJobs()).filter(({ runAt }) => runAt === later).length, 1)
      const cancelled = await schedule(`pages/${id}`, { publishAt: null, unpublishAt: null })
      assert.deepEqual([cancelled.at('data', 'publishAt'), cancelled.at('data', 'unpublishAt')], [null, null])
      assert.equal((await scheduledJobs()).filter(({ runAt }) => runAt === later).length, 0)
    })

    it('ends with its document or locale', async () => {
      const [id, article] = [await page(), await running.create('articles', { title: 'English' })]
      await running.send('PUT', `/api/articles/${article}?locale=fr&status=draft`, { data: { title: 'F' } })
      const before = (await scheduledJobs()).length
      await schedule(`pages/${id}`, { publishAt: inMs(HOUR), unpublishAt: inMs(2 * HOUR) })
      await schedule(`articles/${article}`, { publishAt: inMs(HOUR), locale: 'fr' })
      await schedule(`articles/${article}`, { publishAt: inMs(HOUR), locale: 'en' })
      assert.equal((await scheduledJobs()).length, before + 4)
      await running.send('DELETE', `/api/pages/${id}`)
      await running.send('DELETE', `/api/articles/${article}?locale=fr`)
      assert.equal((await scheduledJobs()).length, before + 1)
      const left = await running.send('GET', `/admin/api/schedules?documentId=${article}`)
      assert.equal(left.at('data', 0, 'locale'), 'en')
      assert.equal(left.at('meta', 'total'), 1)
    })

    it('is stored once for each idempotency key', async () => {
      const path = `/api/pages/${await page()}/actions/schedule`
      const post = (publishAt: string) =>
        running.send('POST', path, { publishAt }, 'full', { 'idempotency-key': `${path} ${publishAt}` })
      const [first, second] = [inMs(HOUR), inMs(2 * HOUR)]
      assert.equal((await post(first)).at('data', 'publishAt'), first)
      assert.equal((await post(second)).at('data', 'publishAt'), second)
      assert.equal((await post(first)).at('data', 'publishAt'), first)
      assert.equal((await running.send('GET', path)).at('data', 'publishAt'), second)
    })

    it('can be part of a batch, and is not stored if the batch fails', async () => {
      const path = '/api/pages/{p.documentId}/actions/schedule'
      const create = {
        id: 'p',
        method: 'POST',
        path: '/api/pages?status=draft',
        body: { data: { title: 'B' } },
      }
      const publishAt = inMs(HOUR)
      const operations = [create, { method: 'POST', path, body: { publishAt } }]
      const response = await running.send('POST', '/api/batch', { operations })
      assert.equal(response.at('data', 1, 'body', 'data', 'publishAt'), publishAt, response.text)
      const count = (await scheduledJobs()).length
      const failing = [...operations, { method: 'POST', path, body: { publishAt: 'soon' } }]
      assert.equal((await running.send('POST', '/api/batch', { operations: failing })).status, 400)
      assert.equal((await scheduledJobs()).length, count)
    })
  })

  describe('a request to schedule', () => {
    const refused: readonly [string, object, string][] = [
      ['without a time', {}, 'publishAt, unpublishAt or both'],
      ['with a time without a zone', { publishAt: '2999-01-01T10:00:00' }, 'time zone'],
      ['with a date', { publishAt: '2999-01-01' }, 'time zone'],
      ['with a number', { unpublishAt: 5 }, 'unpublishAt must be'],
      ['with a time in the past', { publishAt: '2020-01-01T10:00:00Z' }, 'must not be in the past'],
      ['with an unknown key', { publishedAt: '2999-01-01T10:00:00Z' }, 'did you mean \\"publishAt\\"'],
      [
        'that unpublishes before it publishes',
        { publishAt: '2999-01-02T10:00:00Z', unpublishAt: '2999-01-01T10:00:00Z' },
        'unpublishAt must be after publishAt',
      ],
    ]
    for (const [name, body, message] of refused)
      it(`${name} is refused`, async () => {
        const response = await schedule(`pages/${await page()}`, body)
        assert.equal(response.status, 400)
        assert.ok(response.text.includes(message), response.text)
      })

    it('of an unknown document, locale or type without drafts is refused', async () => {
      const publishAt = inMs(HOUR)
      assert.equal((await schedule('pages/unknown', { publishAt })).status, 404)
      const article = await running.create('articles', { title: 'English' })
      assert.equal((await schedule(`articles/${article}`, { publishAt, locale: 'fr' })).status, 404)
      assert.equal((await schedule(`articles/${article}`, { publishAt, locale: 'xx' })).status, 400)
      const tag = await running.create('tags', { name: 'A tag' })
      assert.equal((await schedule(`tags/${tag}`, { publishAt })).status, 404)
    })

    it('requires the permission to publish, and row rules hold', async () => {
      const [red, blue] = [await page({ color: 'red' }), await page({ color: 'blue' })]
      const publishAt = inMs(HOUR)
      assert.equal((await schedule(`pages/${red}`, { publishAt }, 'public')).status, 403)
      assert.equal((await schedule(`pages/${red}`, { publishAt }, 'writer')).status, 403)
      assert.equal((await schedule(`pages/${blue}`, { publishAt }, 'red')).status, 403)
      assert.equal((await schedule(`pages/${red}`, { publishAt }, 'red')).status, 200)
      const path = `/api/pages/${red}/actions/schedule`
      assert.equal((await running.send('GET', path, undefined, 'writer')).status, 403)
      assert.equal((await running.send('GET', path, undefined, 'red')).at('data', 'publishAt'), publishAt)
    })
  })

  describe('a schedule that cannot run', () => {
    const noticesOf = async (documentId: string) => {
      const { at } = await running.send('GET', '/admin/api/notices')
      const all = at('data')
      assert.ok(Array.isArray(all))
      return all.filter((one) => one.subject?.documentId === documentId)
    }

    it('leaves an invalid document a draft, and the team gets a notice with the reason', async () => {
      const id = await running.create('pages', { color: 'red' })
      await schedule(`pages/${id}`, { publishAt: inMs(0) })
      await waitUntil(async () => (await noticesOf(id)).length > 0)
      const [notice, ...more] = await noticesOf(id)
      assert.deepEqual(more, [])
      assert.equal(notice.kind, 'schedule.failed')
      assert.match(notice.message, /^The page \S+ could not be published at .*: title is required$/)
      assert.deepEqual(notice.subject, { type: PAGE, documentId: id, locale: null })
      assert.equal(await running.isPublished('pages', id), false)
      assert.equal(
        (await running.send('GET', `/api/pages/${id}/actions/schedule`)).at('data', 'publishAt'),
        null,
      )
      assert.ok(running.log.some((line) => line.includes('title is required')))
      const path = `/admin/api/notices/${notice.id}`
      assert.equal((await running.send('DELETE', path, undefined, 'writer')).status, 403)
      assert.equal((await running.send('DELETE', path)).status, 204)
      assert.deepEqual(await noticesOf(id), [])
      assert.equal((await running.send('DELETE', path)).status, 404)
    })

    it('also when its author has lost the permission, or its value is taken', async () => {
      const { tokens } = running.server.access
      const permissions = { [PAGE]: ['find', 'update'] }
      const { token, secret } = await tokens.create({ name: 'short', kind: 'custom', permissions })
      const id = await page()
      const scheduled = await fetch(`${running.base}/api/pages/${id}/actions/schedule`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        body: JSON.stringify({ publishAt: inMs(700) }),
      })
      assert.equal(scheduled.status, 200)
      await tokens.revoke(String(token.id))
      await running.create('pages', { title: 'First', code: 'taken' }, '')
      const taken = await page({ code: 'taken' })
      await schedule(`pages/${taken}`, { publishAt: inMs(0) })
      await waitUntil(async () => (await noticesOf(id)).length > 0 && (await noticesOf(taken)).length > 0)
      assert.match((await noticesOf(id))[0].message, /The token that scheduled it is no longer valid/)
      assert.match((await noticesOf(taken))[0].message, /code must be unique/)
      assert.equal(await running.isPublished('pages', id), false)
    })

    it('is sent to admins by e-mail', async () => {
      const email = 'admin@example.test'
      await running.server.access.admins.create(
        { username: 'admin', email, password: 'A-long-Passw0rd' },
        SYSTEM,
      )
      const id = await running.create('pages', { color: 'red' })
      await schedule(`pages/${id}`, { publishAt: inMs(0) })
      const mails = () =>
        globSync(`${running.folder}/.octavo/mail/*.txt`).map((file) => readFileSync(file, 'utf8'))
      await waitUntil(() => mails().some((text) => text.includes(id)))
      assert.ok(mails().some((text) => text.includes(`To: ${email}`) && text.includes('title is required')))
    })
  })

  describe('the admin API', () => {
    it('lists schedules of a period in order, with titles, and cancels one', async () => {
      const [first, second] = [
        await page({ title: 'First' }),
        await running.create('articles', { title: 'Second' }),
      ]
      await schedule(`articles/${second}`, { publishAt: '2998-03-02T10:00:00+01:00' })
      await schedule(`pages/${first}`, {
        publishAt: '2998-03-01T10:00:00Z',
        unpublishAt: '2998-04-01T00:00:00Z',
      })
      const list = () => running.send('GET', '/admin/api/schedules?from=2998-03-01&to=2998-04-01')
      const found = (await list()).at('data')
      assert.ok(Array.isArray(found))
      assert.deepEqual(
        found.map(({ type, documentId, locale, action, runAt, title }) => [
          type,
          documentId,
          locale,
          action,
          runAt,
          title,
        ]),
        [
          [PAGE, first, null, 'publish', '2998-03-01T10:00:00.000Z', 'First'],
          [ARTICLE, second, 'en', 'publish', '2998-03-02T09:00:00.000Z', 'Second'],
        ],
      )
      assert.equal(found[0].by.kind, 'token')
      assert.equal((await running.send('DELETE', `/admin/api/schedules/${found[0].id}`)).status, 204)
      assert.equal((await list()).at('meta', 'total'), 1)
      assert.equal((await running.send('DELETE', `/admin/api/schedules/${found[0].id}`)).status, 404)
      assert.equal((await running.send('GET', '/admin/api/schedules', undefined, 'writer')).status, 403)
      assert.equal((await running.send('GET', '/admin/api/schedules?from=never')).status, 400)
    })
  })

  it('whoever cancels the job of a schedule or of a release cancels what was planned', async () => {
    const id = await page()
    const [publishAt, unpublishAt] = [inMs(HOUR), inMs(2 * HOUR)]
    await schedule(`pages/${id}`, { publishAt, unpublishAt })
    const entries = [{ type: PAGE, documentId: id }]
    const data = { name: 'Planned', entries, publishAt }
    const release = (await running.send('POST', '/admin/api/releases', { data })).at('data', 'id')
    const jobs = (await running.send('GET', '/admin/api/jobs?limit=1000')).at('data')
    assert.ok(Array.isArray(jobs))
    for (const job of jobs.filter(({ runAt }) => runAt === publishAt))
      assert.equal((await running.send('DELETE', `/admin/api/jobs/${job.id}`)).status, 204)
    const left = await running.send('GET', `/api/pages/${id}/actions/schedule`)
    assert.deepEqual([left.at('data', 'publishAt'), left.at('data', 'unpublishAt')], [null, unpublishAt])
    const opened = await running.send('GET', `/admin/api/releases/${release}`)
    assert.deepEqual([opened.at('data', 'state'), opened.at('data', 'publishAt')], ['open', null])
    const [unpublishing] = jobs.filter(({ runAt }) => runAt === unpublishAt)
    const where = ['--project', running.folder, '--database', url]
    const { code, err } = await octavo(['jobs', 'cancel', String(unpublishing.id), ...where])
    assert.equal(code, 0, err)
    const none = await running.send('GET', `/admin/api/schedules?documentId=${id}`)
    assert.equal(none.at('meta', 'total'), 0)
  })

  it('the audit log has what was scheduled and cancelled, in which locale', async () => {
    const article = await running.create('articles', { title: 'English' })
    await running.send('PUT', `/api/articles/${article}?locale=fr&status=draft`, { data: { title: 'F' } })
    const publishAt = inMs(HOUR)
    await schedule(`articles/${article}`, { publishAt, locale: 'fr' })
    const id = (await running.send('GET', `/admin/api/schedules?documentId=${article}`)).at('data', 0, 'id')
    assert.equal((await running.send('DELETE', `/admin/api/schedules/${id}`)).status, 204)
    await schedule(`pages/${await page()}`, { publishAt })
    const records = (await running.send('GET', '/admin/api/audit?action=document.schedule')).at('data')
    assert.ok(Array.isArray(records))
    assert.deepEqual(
      records.slice(0, 3).map(({ type, locale, details }) => [type, locale, details.publishAt]),
      [
        [PAGE, null, publishAt],
        [ARTICLE, 'fr', null],
        [ARTICLE, 'fr', publishAt],
      ],
    )
  })

  it('what was due while no server ran is done once when several start', async () => {
    const url = await engine.freshUrl()
    const first = await startScheduleServer(url)
    const id = await first.create('pages', { title: 'Late' })
    await first.send('POST', `/api/pages/${id}/actions/schedule`, { publishAt: inMs(HOUR) })
    const { store } = first.server
    await store.write(async (transaction) => {
      const past = inMs(-HOUR)
      transaction.run(compile(store.dialect, sql`update ${sql.table(SCHEDULES)} set run_at = ${past}`))
      transaction.run(
        compile(
          store.dialect,
          sql`update ${sql.table(JOBS)} set run_at = ${past}, due_at = ${past} where kind = 'schedules'`,
        ),
      )
    })
    await first.close()
    const others = await Promise.all([
      startScheduleServer(url),
      startScheduleServer(url),
      startScheduleServer(url),
    ])
    try {
      const [one] = others
      await waitUntil(() => one.isPublished('pages', id))
      const events = await readEventsAfter(one.server.store, 0)
      assert.deepEqual(
        events.filter((one) => one.documentId === id).map(({ event }) => event),
        ['document.create', 'document.publish'],
      )
    } finally {
      await Promise.all(others.map((server) => server.close()))
    }
  })

  it('actions on a document that are late run in the order of their times, also if the first must be tried again', async () => {
    let failures = 0
    const publish = async () => {
      await new Promise((resolve) => setTimeout(resolve, 100))
      if (failures++ === 0) throw new Error('Temporarily unavailable')
    }
    const url = await engine.freshUrl()
    const servers = [
      await startScheduleServer(url, {}, { hooks: { [PAGE]: { before: { publish } } } }),
      await startScheduleServer(url, {}, { hooks: { [PAGE]: { before: { publish } } } }),
    ] as const
    try {
      const [one] = servers
      const id = await one.create('pages', { title: 'Late' })
      const times = { publishAt: inMs(-20_000), unpublishAt: inMs(-10_000) }
      await one.send('POST', `/api/pages/${id}/actions/schedule`, times)
      const left = () => one.send('GET', '/admin/api/schedules')
      await waitUntil(async () => (await left()).at('meta', 'total') === 0)
      const events = await readEventsAfter(one.server.store, 0)
      assert.deepEqual(
        events.filter(({ documentId }) => documentId === id).map(({ event }) => event),
        ['document.create', 'document.publish', 'document.unpublish'],
      )
      assert.equal(failures, 2)
    } finally {
      await Promise.all(servers.map((server) => server.close()))
    }
  })

  it('runs the hooks of a project, which can refuse it', async () => {
    const published: unknown[] = []
    const hooks = {
      [PAGE]: {
        before: {
          publish: ({ documentId }: { documentId: string | null }) => {
            if (documentId === refused) throw Object.assign(new Error('Not on a Monday'), { statusCode: 400 })
          },
        },
        after: {
          publish: ({ documentId }: { documentId: string | null }) => void published.push(documentId),
        },
      },
    }
    let refused = ''
    const hooked = await startScheduleServer(await engine.freshUrl(), {}, { hooks })
    try {
      refused = await hooked.create('pages', { title: 'Refused' })
      const id = await hooked.create('pages', { title: 'Accepted' })
      for (const one of [refused, id])
        await hooked.send('POST', `/api/pages/${one}/actions/schedule`, { publishAt: inMs(0) })
      await waitUntil(async () => (await hooked.send('GET', '/admin/api/notices')).text.includes(refused))
      await waitUntil(() => published.length > 0)
      assert.match((await hooked.send('GET', '/admin/api/notices')).text, /Not on a Monday/)
      assert.deepEqual(published, [id])
    } finally {
      await hooked.close()
    }
  })

  it('without schedules there are no routes and no table', async () => {
    const url = await engine.emptyUrl()
    const off = await startScheduleServer(url, { schedules: { enabled: false } })
    try {
      const id = await off.create('pages', { title: 'A page' })
      const path = `/api/pages/${id}/actions/schedule`
      assert.equal((await off.send('POST', path, { publishAt: inMs(HOUR) })).status, 404)
      assert.equal((await off.send('GET', '/admin/api/schedules')).status, 404)
      assert.equal((await off.send('DELETE', `/api/pages/${id}`)).status, 204)
      const { store } = off.server
      await assert.rejects(store.read(compile(store.dialect, sql`select 1 from ${sql.table(SCHEDULES)}`)))
    } finally {
      await off.close()
    }
  })
})
