/** Releases over the network: documents are published together, or not at all. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createHistoryRemover } from '../../src/documents/history/retention.ts'
import { deleteOldReleases } from '../../src/documents/releases/retention.ts'
import { RELEASES } from '../../src/documents/releases/tables.ts'
import { readEventsAfter, readRange } from '../../src/events/outbox/read-events.ts'
import { compile } from '../../src/store/compile.ts'
import { sql } from '../../src/store/sql.ts'
import { octavo } from '../support/command.ts'
import { onEachEngine } from '../support/engines.ts'
import { waitUntil } from '../support/wait-until.ts'
import { ARTICLE, PAGE, type ScheduleServer, startScheduleServer } from './project.ts'

const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()
const HOUR = 3_600_000

onEachEngine((engine) => {
  let running: ScheduleServer
  let url = ''
  before(async () => {
    url = await engine.freshUrl()
    running = await startScheduleServer(url)
  })
  after(() => running.close())

  const admin = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, data?: unknown) =>
    running.send(method, `/admin/api/releases${path}`, data === undefined ? undefined : { data })
  const page = (data: object = {}, query?: string) =>
    running.create('pages', { title: 'A page', ...data }, query)

  async function release(entries: readonly object[], name = 'Spring'): Promise<string> {
    const response = await admin('POST', '', { name, entries })
    assert.equal(response.status, 201, response.text)
    return `/${response.at('data', 'id')}`
  }
  const of = (documentId: string, action = 'publish') => ({ type: PAGE, documentId, action })
  const titleOf = async (id: string, status = 'published') =>
    (await running.send('GET', `/api/pages/${id}?status=${status}`)).at('data', 'title')

  describe('a release', () => {
    it('is created with documents, opened with their titles and problems, changed and deleted', async () => {
      const [good, bad] = [await page({ title: 'Good' }), await running.create('pages', { color: 'red' })]
      const article = await running.create('articles', { title: 'English' })
      const path = await release([of(good), of(bad), { type: 'articles', documentId: article, locale: 'en' }])
      const opened = await admin('GET', path)
      assert.deepEqual(opened.at('data', 'valid'), false)
      const entries = opened.at('data', 'entries')
      assert.ok(Array.isArray(entries))
      assert.deepEqual(
        entries.map(({ type, documentId, locale, action, title, valid, problems }) => [
          ...[type, documentId, locale, action, title, valid],
          ...problems.map(({ message }: { message: string }) => message),
        ]),
        [
          [PAGE, good, null, 'publish', 'Good', true],
          [PAGE, bad, null, 'publish', null, false, 'title is required'],
          [ARTICLE, article, 'en', 'publish', 'English', true],
        ],
      )
      const without = await admin('DELETE', `${path}/entries/${entries[1].id}`)
      assert.deepEqual(
        [without.status, without.at('data', 'valid'), without.at('data', 'entryCount')],
        [200, true, 2],
      )
      const again = await running.send('POST', `/admin/api/releases${path}/entries`, {
        data: [of(good, 'unpublish'), of(await page())],
      })
      assert.equal(again.at('data', 'entryCount'), 3, again.text)
      assert.equal((await admin('PUT', path, { name: 'Summer' })).at('data', 'name'), 'Summer')
      const listed = (await admin('GET', '?state=open')).at('data')
      assert.ok(Array.isArray(listed) && listed.some(({ name }) => name === 'Summer'))
      assert.equal((await admin('DELETE', path)).status, 204)
      assert.equal((await admin('GET', path)).status, 404)
    })

    it('publishes and unpublishes all of its documents, with an event for each', async () => {
      const { newest } = await readRange(running.server.store)
      // The second document takes over the unique value of the first.
      const [former, next] = [await page({ code: 'slogan' }, ''), await page({ code: 'slogan' })]
      const path = await release([of(next), of(former, 'unpublish')])
      assert.equal((await admin('GET', path)).at('data', 'valid'), true)
      const published = await admin('POST', `${path}/actions/publish`)
      assert.equal(published.status, 200, published.text)
      assert.equal(published.at('data', 'state'), 'published')
      assert.equal(published.at('data', 'publishedBy', 'kind'), 'token')
      assert.deepEqual(
        [await running.isPublished('pages', former), await running.isPublished('pages', next)],
        [false, true],
      )
      const events = (await readEventsAfter(running.server.store, newest)).slice(-2)
      assert.deepEqual(
        events.map(({ event, documentId }) => [event, documentId]),
        [
          ['document.unpublish', former],
          ['document.publish', next],
        ],
      )
      assert.equal((await admin('POST', `${path}/actions/publish`)).status, 400)
      assert.equal(
        (await running.send('POST', `/admin/api/releases${path}/entries`, { data: of(next) })).status,
        400,
      )
    })

    it('publishes nothing if one document is invalid or its value is taken, and names all problems', async () => {
      const { newest } = await readRange(running.server.store)
      await page({ code: 'one of a kind' }, '')
      const ids = [await page(), await running.create('pages', {}), await running.create('pages', {})]
      const path = await release(ids.map((id) => of(id)))
      const refused = await admin('POST', `${path}/actions/publish`)
      assert.equal(refused.status, 400)
      const problems = refused.at('error', 'details', 'errors')
      assert.ok(Array.isArray(problems))
      assert.deepEqual(
        problems.map(({ path: at }) => at.join('.')),
        ['entries.1.title', 'entries.2.title'],
      )
      const taken = await release([of(ids[0] ?? ''), of(await page({ code: 'one of a kind' }))])
      assert.equal((await admin('GET', taken)).at('data', 'entries', 1, 'valid'), false)
      assert.equal((await admin('POST', `${taken}/actions/publish`)).status, 400)
      assert.equal(await running.isPublished('pages', ids[0] ?? ''), false)
      assert.equal((await admin('GET', taken)).at('data', 'state'), 'open')
      const events = (await readEventsAfter(running.server.store, newest)).map(({ event }) => event)
      assert.equal(events.filter((event) => event === 'document.publish').length, 1)
    })

    it('is invalid if two of its documents have the same new unique value, in whichever order', async () => {
      const [former, one, two] = [
        await page({ code: 'handed on' }, ''),
        await page({ code: 'handed on' }),
        await page({ code: 'handed on' }),
      ]
      await running.send('PUT', `/api/pages/${former}?status=draft`, { data: { code: 'replaced' } })
      const validity = async (path: string) => {
        const entries = (await admin('GET', path)).at('data', 'entries')
        assert.ok(Array.isArray(entries))
        return entries.map(({ valid }) => valid)
      }
      const both = await release([of(former), of(one), of(two)])
      assert.deepEqual(await validity(both), [true, true, false])
      assert.equal((await admin('GET', both)).at('data', 'valid'), false)
      const [repeated] = [(await admin('GET', both)).at('data', 'entries', 2, 'problems', 0)]
      assert.deepEqual(repeated, {
        path: ['code'],
        message: 'code must be unique: another document has this value',
      })
      assert.equal((await admin('POST', `${both}/actions/publish`)).status, 400)
      const early = await release([of(one), of(former)])
      assert.deepEqual(await validity(early), [false, true])
      assert.equal((await admin('POST', `${early}/actions/publish`)).status, 400)
      const inTurn = await release([of(former), of(one)])
      assert.deepEqual(await validity(inTurn), [true, true])
      assert.equal((await admin('POST', `${inTurn}/actions/publish`)).status, 200)
    })

    it('is published at its time, can be cancelled, and is listed by period', async () => {
      const id = await page()
      const path = await release([of(id)], 'Later')
      const at = await running.send('POST', `/admin/api/releases${path}/actions/schedule`, {
        publishAt: '2997-05-05T12:00:00+02:00',
      })
      assert.deepEqual(
        [at.at('data', 'state'), at.at('data', 'publishAt')],
        ['scheduled', '2997-05-05T10:00:00.000Z'],
      )
      const inMay = await admin('GET', '?from=2997-05-01&to=2997-06-01')
      assert.deepEqual([inMay.at('meta', 'total'), inMay.at('data', 0, 'name')], [1, 'Later'])
      const cancelled = await admin('POST', `${path}/actions/cancel`)
      assert.deepEqual([cancelled.at('data', 'state'), cancelled.at('data', 'publishAt')], ['open', null])
      assert.equal(
        (await admin('POST', `${path}/actions/schedule`, { publishAt: '2001-01-01T00:00:00Z' })).status,
        400,
      )
      assert.equal((await admin('POST', `${path}/actions/schedule`, {})).status, 400)
      await admin('POST', `${path}/actions/schedule`, { publishAt: inMs(200) })
      await waitUntil(() => running.isPublished('pages', id))
      await waitUntil(async () => (await admin('GET', path)).at('data', 'state') === 'published')
    })

    it('needs a document to be scheduled, and keeps its last one while it is', async () => {
      const scheduled = { name: 'Empty', publishAt: '2997-06-05T12:00:00Z' }
      const refused = await admin('POST', '', scheduled)
      assert.deepEqual(
        [refused.status, refused.at('error', 'message')],
        [400, 'The release has no documents'],
      )
      const path = await release([of(await page())], 'One')
      await admin('POST', `${path}/actions/schedule`, { publishAt: scheduled.publishAt })
      const entry = (await admin('GET', path)).at('data', 'entries', 0, 'id')
      assert.equal((await admin('DELETE', `${path}/entries/${entry}`)).status, 400)
      assert.equal((await admin('GET', path)).at('data', 'entryCount'), 1)
      await admin('POST', `${path}/actions/cancel`)
      assert.equal((await admin('DELETE', `${path}/entries/${entry}`)).status, 200)
    })

    it('that is invalid at its time fails as a whole, and the team gets a notice', async () => {
      const [good, bad] = [await page(), await running.create('pages', {})]
      const path = await release([of(good), of(bad)], 'Doomed')
      await admin('POST', `${path}/actions/schedule`, { publishAt: inMs(0) })
      await waitUntil(async () => (await admin('GET', path)).at('data', 'state') === 'failed')
      assert.match(String((await admin('GET', path)).at('data', 'error')), /^1 problem in its documents/)
      assert.equal(await running.isPublished('pages', good), false)
      const notices = (await running.send('GET', '/admin/api/notices')).at('data')
      assert.ok(Array.isArray(notices))
      const [notice] = notices.filter(({ message }) => message.includes('Doomed'))
      assert.equal(notice.kind, 'release.failed')
      await running.send('PUT', `/api/pages/${bad}?status=draft`, { data: { title: 'Now valid' } })
      assert.equal((await admin('POST', `${path}/actions/publish`)).at('data', 'state'), 'published')
    })

    it('can be reverted as one: first publications are removed, others return to what they were', async () => {
      const fresh = await page({ title: 'Fresh' })
      const changed = await page({ title: 'Before' }, '')
      await running.send('PUT', `/api/pages/${changed}?status=draft`, { data: { title: 'After' } })
      const removed = await page({ title: 'Removed' }, '')
      const path = await release([of(fresh), of(changed), of(removed, 'unpublish')])
      assert.equal((await admin('POST', `${path}/actions/revert`)).status, 400)
      await admin('POST', `${path}/actions/publish`)
      assert.deepEqual(
        [await titleOf(fresh), await titleOf(changed), await titleOf(removed)],
        ['Fresh', 'After', undefined],
      )
      const reverted = await admin('POST', `${path}/actions/revert`)
      assert.equal(reverted.status, 200, reverted.text)
      assert.deepEqual([reverted.at('data', 'state'), reverted.at('meta', 'notRestored')], ['reverted', []])
      assert.deepEqual(
        [await titleOf(fresh), await titleOf(changed), await titleOf(removed)],
        [undefined, 'Before', 'Removed'],
      )
      assert.equal(await titleOf(changed, 'draft'), 'After')
      assert.equal((await admin('POST', `${path}/actions/revert`)).status, 400)
    })

    it('can be reverted after documents have passed unique values on to each other', async () => {
      const [removed, first, second] = [
        await page({ code: 'one' }, ''),
        await page({ code: 'two' }, ''),
        await page({ code: 'three' }, ''),
      ]
      await running.send('PUT', `/api/pages/${first}?status=draft`, { data: { code: 'one' } })
      await running.send('PUT', `/api/pages/${second}?status=draft`, { data: { code: 'two' } })
      const path = await release([of(first), of(second), of(removed, 'unpublish')])
      const published = await admin('POST', `${path}/actions/publish`)
      assert.equal(published.status, 200, published.text)
      const codes = () =>
        Promise.all(
          [removed, first, second].map(async (id) =>
            (await running.send('GET', `/api/pages/${id}`)).at('data', 'code'),
          ),
        )
      assert.deepEqual(await codes(), [undefined, 'one', 'two'])
      const reverted = await admin('POST', `${path}/actions/revert`)
      assert.equal(reverted.status, 200, reverted.text)
      assert.deepEqual(await codes(), ['one', 'two', 'three'])
    })

    it('can be reverted after a document that it published for the first time was deleted', async () => {
      const [deleted, unpublished, fresh] = [await page(), await page(), await page()]
      const path = await release([of(deleted), of(unpublished), of(fresh)])
      await admin('POST', `${path}/actions/publish`)
      await running.send('DELETE', `/api/pages/${deleted}`)
      await running.send('POST', `/api/pages/${unpublished}/actions/unpublish`)
      const reverted = await admin('POST', `${path}/actions/revert`)
      assert.equal(reverted.status, 200, reverted.text)
      assert.equal(await running.isPublished('pages', fresh), false)
    })

    it('can be reverted if the history no longer has what was published', async () => {
      const changed = await page({ title: 'Published long ago' }, '')
      for (const title of ['Draft', 'Newer draft'])
        await running.send('PUT', `/api/pages/${changed}?status=draft`, { data: { title } })
      const { store } = running.server
      await createHistoryRemover(store, { keepDays: 365, maxVersions: 2 })(Date.now())
      const path = await release([of(changed)])
      await admin('POST', `${path}/actions/publish`)
      assert.equal(await titleOf(changed), 'Newer draft')
      const reverted = await admin('POST', `${path}/actions/revert`)
      assert.equal(reverted.status, 200, reverted.text)
      assert.deepEqual(
        [await titleOf(changed), await titleOf(changed, 'draft')],
        ['Published long ago', 'Newer draft'],
      )
    })
  })

  describe('a request', () => {
    it('with something wrong is refused, with a message that names it', async () => {
      const id = await page()
      const refused = async (data: object, message: string) => {
        const response = await admin('POST', '', data)
        assert.equal(response.status, 400, response.text)
        assert.ok(response.text.includes(message), response.text)
      }
      await refused({}, 'name must be')
      await refused({ name: 'A', documents: [] }, 'Invalid key documents')
      await refused({ name: 'A', entries: [] }, '1 to 1000')
      await refused({ name: 'A', entries: [{ type: 'nothing', documentId: id }] }, 'entries[0].type must be')
      await refused({ name: 'A', entries: [{ type: 'tags', documentId: id }] }, 'tag has none')
      await refused(
        { name: 'A', entries: [of(id, 'discard')] },
        'entries[0].action must be one of publish, unpublish',
      )
      await refused({ name: 'A', entries: [of('unknown')] }, 'entries[0]: the page does not exist')
      const many = Array.from({ length: 1_001 }, () => of(id))
      await refused({ name: 'A', entries: many }, '1 to 1000')
      assert.equal((await admin('POST', '/999999/actions/publish')).status, 404)
      const empty = await admin('POST', '', { name: 'Empty' })
      assert.equal((await admin('POST', `/${empty.at('data', 'id')}/actions/publish`)).status, 400)
    })

    it('needs an admin token or a session, and on a session the permission for each document', async () => {
      for (const caller of ['public', 'writer', 'red'] as const)
        assert.equal((await running.send('GET', '/admin/api/releases', undefined, caller)).status, 403)
    })
  })

  it('the command line lists releases and schedules, and cancels them', async () => {
    const id = await page()
    const path = await release([of(id)], 'By command')
    await admin('POST', `${path}/actions/schedule`, { publishAt: '2996-01-01T00:00:00Z' })
    await running.send('POST', `/api/pages/${id}/actions/schedule`, { publishAt: '2996-02-01T00:00:00Z' })
    const run = async (...args: string[]) => {
      const { code, out, err } = await octavo([...args, '--project', running.folder, '--database', url])
      assert.equal(code, 0, err)
      return out
    }
    const releases = await run('releases', '--state', 'scheduled')
    assert.match(releases, /By command {2}scheduled 2996-01-01T00:00:00.000Z, 1 document/)
    assert.match(await run('releases', 'cancel', path.slice(1)), /is open again/)
    assert.equal((await admin('GET', path)).at('data', 'state'), 'open')
    const [schedule] = JSON.parse(await run('schedules', '--json'))
    assert.deepEqual([schedule.documentId, schedule.runAt], [id, '2996-02-01T00:00:00.000Z'])
    assert.match(await run('schedules', 'cancel', String(schedule.id)), /cancelled/)
    assert.match(await run('schedules'), /Nothing is scheduled/)
  })

  it('documents of a renamed content-type stay scheduled and in their release', async () => {
    await running.send('PUT', '/api/home?status=draft', { data: { title: 'Home' } })
    const publishAt = '2996-03-01T00:00:00.000Z'
    const scheduled = await running.send('POST', '/api/home/actions/schedule', { publishAt })
    const documentId = scheduled.at('data', 'documentId')
    const path = await release([{ type: 'home', documentId }])
    const renamed = await running.send('PUT', '/admin/api/content-types/api::home.home', {
      data: {
        ...{ uid: 'api::start.start', kind: 'singleType', collectionName: 'homes' },
        info: { singularName: 'start', pluralName: 'starts', displayName: 'start' },
        ...{ options: { draftAndPublish: true }, attributes: { title: { type: 'string' } } },
      },
    })
    assert.equal(renamed.status, 200, renamed.text)
    const after = await running.send('GET', '/api/start/actions/schedule')
    assert.equal(after.at('data', 'publishAt'), publishAt, after.text)
    const published = await admin('POST', `${path}/actions/publish`)
    assert.equal(published.at('data', 'entries', 0, 'type'), 'api::start.start', published.text)
  })

  it('the audit log has who did what with a release, and from where', async () => {
    const id = await page()
    const path = await release([of(id)], 'Audited')
    await admin('POST', `${path}/actions/schedule`, { publishAt: '2996-01-01T00:00:00Z' })
    await admin('POST', `${path}/actions/cancel`)
    await admin('POST', `${path}/actions/publish`)
    await admin('POST', `${path}/actions/revert`)
    const { at } = await running.send('GET', '/admin/api/audit')
    const records = at('data')
    assert.ok(Array.isArray(records))
    const own = records.filter(({ details }) => details?.name === 'Audited')
    assert.deepEqual(
      own.map(({ action }) => action).toReversed(),
      ['create', 'schedule', 'cancel', 'publish', 'revert'].map((verb) => `release.${verb}`),
    )
    const changes = records.filter(
      ({ documentId, action }) => documentId === id && action.endsWith('publish'),
    )
    assert.equal(changes.length, 2)
    for (const { by, address, requestId } of [...own, ...changes])
      assert.deepEqual([by.kind, address, typeof requestId], ['token', '127.0.0.1', 'string'])
  })

  it('old releases are deleted, open ones stay', async () => {
    const { store } = running.server
    const keep = { keepDays: 365, maxReleases: 1_000 }
    assert.equal(await deleteOldReleases(store, keep, Date.now()), 0)
    await release([of(await page())], 'Still open')
    const count = async () =>
      Number(
        (await store.read(compile(store.dialect, sql`select count(*) as n from ${sql.table(RELEASES)}`)))[0]
          ?.n,
      )
    const before = await count()
    assert.equal((await deleteOldReleases(store, { ...keep, maxReleases: 1 }, Date.now())) > 1, true)
    await deleteOldReleases(store, keep, Date.now() + 400 * 24 * HOUR)
    assert.ok((await count()) < before)
    const left = (await admin('GET', '')).at('data')
    assert.ok(Array.isArray(left) && left.some(({ name }) => name === 'Still open'))
    assert.ok(left.every(({ state }) => state !== 'published'))
  })
})
