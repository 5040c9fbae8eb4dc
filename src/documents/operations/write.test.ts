import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { refusal, refusedKey, refusedPaths } from '../../../test/documents/refused.ts'
import { openTestDatabase, servedOf, type TestDatabase } from '../../../test/documents/test-database.ts'
import { onEachEngine } from '../../../test/support/engines.ts'
import type { Scope } from '../../query/scope.ts'
import type { Statement } from '../../store/statement.ts'
import type { Transaction } from '../../store/store.ts'

const scopeOf = (more: Partial<Scope>): Scope => ({
  key: 'test',
  principal: { kind: 'public' },
  may: () => true,
  rule: () => null,
  ...more,
})

const noting = (transaction: Transaction, statements: Statement[]): Transaction => ({
  ...transaction,
  all(statement) {
    statements.push(statement)
    return transaction.all(statement)
  },
})

onEachEngine((engine) => {
  let database: TestDatabase
  before(async () => {
    database = await openTestDatabase(engine)
  })
  after(() => database.close())

  describe('creating', () => {
    it('stores a draft and a published row with ids of their own and one documentId', async () => {
      const id = await database.create('article', { title: 'Both' })
      assert.match(id, /^[a-z][a-z0-9]{23}$/)
      const draft = await database.row('article', id, { status: 'draft' })
      const published = await database.row('article', id)
      assert.notEqual(draft?.id, published?.id)
      assert.deepEqual([draft?.published_at, typeof published?.published_at], [null, 'string'])
      assert.equal(draft?.updated_at, published?.updated_at)
    })

    it('stores only a draft with status=draft', async () => {
      const id = await database.create('article', { title: 'Draft' }, { status: 'draft' })
      assert.equal(await database.row('article', id), null)
      assert.equal(servedOf(await database.row('article', id, { status: 'draft' })).title, 'Draft')
    })

    it('stores one published row on a type without drafts, for any requested status', async () => {
      const id = await database.create('tag', { label: 'plain' }, { status: 'draft' })
      assert.equal((await database.row('tag', id))?.published, 1)
    })

    it('serves public scalars in model order with times and locale, but no private values', async () => {
      const id = await database.create('article', {
        title: 'Served',
        secret: 'hush',
        big: '9007199254740993',
      })
      const row = await database.row('article', id)
      assert.deepEqual(
        Object.keys(servedOf(row)),
        'documentId title slug body views code big extra createdAt updatedAt publishedAt locale'.split(' '),
      )
      assert.equal(servedOf(row).big, '9007199254740993')
      assert.equal(row?.a_secret, 'hush')
      assert.ok(!String(row?.served).includes('hush'))
    })

    it('sets defaults, but keeps an explicit null', async () => {
      const id = await database.create('article', { title: 'Defaults' })
      assert.equal((await database.row('article', id))?.a_views, 0)
      const empty = await database.create('article', { title: 'No default', views: null })
      assert.equal((await database.row('article', empty))?.a_views, null)
    })

    it('stores passwords as hashes', async () => {
      const id = await database.create('tag', { label: 'with password', password: 'open sesame' })
      const row = await database.row('tag', id)
      assert.equal(row?.a_password, 'hash of open sesame')
      assert.ok(!('password' in servedOf(row)))
      assert.deepEqual(await refusedPaths(database.create('tag', { label: 'short', password: 'x' })), [
        'password',
      ])
      assert.ok(
        !JSON.stringify(
          (await refusal(database.create('tag', { label: 's', password: 'x' }))).details,
        ).includes('"x"'),
      )
    })

    it('generates a uid from its target field, with a number if it is taken', async () => {
      const slugOf = async (data: unknown) =>
        (await database.row('article', await database.create('article', data)))?.a_slug
      assert.equal(await slugOf({ title: 'Crème brûlée!' }), 'creme-brulee')
      assert.equal(await slugOf({ title: 'Crème Brûlée' }), 'creme-brulee-1')
      assert.equal(await slugOf({ title: 'creme brulee' }), 'creme-brulee-2')
      assert.equal(await slugOf({ title: 'Straße nach Łódź' }), 'strasse-nach-lodz')
      assert.equal(await slugOf({ title: 'Ærøskøbing' }), 'aeroskobing')
      assert.equal(await slugOf({ title: '日本' }), 'article')
      assert.equal(await slugOf({ title: 'Given', slug: 'My_own.~' }), 'My_own.~')
      assert.equal(await slugOf({ title: 'None', slug: null }), null)
    })

    it('generates a uid that no draft of the locale has', async () => {
      const slugOf = async (options: object) => {
        const id = await database.create('article', { title: 'Taken' }, options)
        return (await database.row('article', id, options))?.a_slug
      }
      assert.equal(await slugOf({ status: 'draft' }), 'taken')
      await database.create('article', { title: 'Longer', slug: 'taken.1' })
      await database.create('article', { title: 'Longer', slug: 'takeny' })
      await database.create('article', { title: 'Numbered', slug: 'taken-2' })
      assert.deepEqual([await slugOf({}), await slugOf({ status: 'draft' })], ['taken-1', 'taken-3'])
      assert.equal(await slugOf({ locale: 'fr' }), 'taken')
    })

    it('generates a uid that fits the maximum length with its number', async () => {
      const pathOf = async (text: string) =>
        (await database.row('note', await database.create('note', { text })))?.a_path
      assert.equal(await pathOf('Winter night'), 'winter-n')
      assert.equal(await pathOf('Winter noon'), 'winter-1')
      assert.equal(await pathOf('Winter'), 'winter')
      assert.equal(await pathOf('Winter'), 'winter-2')
      for (let number = 3; number < 10; number++) assert.equal(await pathOf('Winter!'), `winter-${number}`)
      assert.equal(await pathOf('Winter'), 'winte-10')
      assert.equal(await pathOf('Winter nap'), 'winte-11')
      assert.equal(await pathOf('Summer in the city'), 'summer-i')
      assert.equal(await pathOf('日本'), 'note')
    })

    it('finds taken uids with an index', async () => {
      const statements: Statement[] = []
      await database.store.write((transaction) =>
        database.documents
          .within(noting(transaction, statements))
          .create(database.request('article'), { title: 'Looked up' }, async () => null),
      )
      const taken = statements.find(({ sql }) => sql.includes('as uid'))
      assert.ok(taken)
      const { indexes, scans } = await database.store.explain(taken)
      // With so few rows PostgreSQL would scan the table.
      if (engine.name === 'sqlite') assert.deepEqual([indexes, scans], [['articles_a_slug_taken'], []])
    })

    it('records the author', async () => {
      const scope = scopeOf({ principal: { kind: 'token', id: 7, name: 't' } })
      const id = await database.documents.create(
        database.request('tag', { scope }),
        { label: 'by token' },
        async (_, written) => written.documentId,
      )
      assert.deepEqual(
        [(await database.row('tag', id))?.created_by, (await database.row('tag', id))?.updated_by],
        ['token:7', 'token:7'],
      )
      const other = scopeOf({ principal: { kind: 'user', id: 5, documentId: 'u', role: 'r' } })
      await database.documents.update(database.request('tag', { scope: other }), id, {}, async () => null)
      assert.deepEqual(
        [(await database.row('tag', id))?.created_by, (await database.row('tag', id))?.updated_by],
        ['token:7', 'user:5'],
      )
    })
  })

  describe('updating', () => {
    it('changes what is sent, clears nulls and keeps the rest, in the same rows', async () => {
      const id = await database.create('article', {
        title: 'Before',
        body: 'kept',
        views: 3,
        extra: { a: 1 },
      })
      const rowsBefore = [
        await database.row('article', id, { status: 'draft' }),
        await database.row('article', id),
      ]
      await database.update('article', id, { title: 'After', views: null, extra: { b: [null] } })
      const rows = [await database.row('article', id, { status: 'draft' }), await database.row('article', id)]
      assert.deepEqual(
        rows.map((row) => row?.id),
        rowsBefore.map((row) => row?.id),
      )
      for (const row of rows) {
        const { title, body, views, extra } = servedOf(row)
        assert.deepEqual(
          { title, body, views, extra },
          { title: 'After', body: 'kept', views: null, extra: { b: [null] } },
        )
        assert.equal(row?.revision, 2)
      }
    })

    it('does not change the published version with status=draft, and publishes both changes later', async () => {
      const id = await database.create('article', { title: 'One', body: 'one' })
      await database.update('article', id, { title: 'Two' }, { status: 'draft' })
      assert.equal(servedOf(await database.row('article', id)).title, 'One')
      await database.update('article', id, { body: 'two' })
      const { title, body } = servedOf(await database.row('article', id))
      assert.deepEqual([title, body], ['Two', 'two'])
    })

    it('is a 404 for a missing document, after keys and before values are checked', async () => {
      assert.equal((await refusal(database.update('tag', 'nothing', { label: 5 }))).status, 404)
      assert.deepEqual(await refusedKey(database.update('tag', 'nothing', { zzz: 5 })), [
        'ValidationError',
        'zzz',
        null,
        'body',
      ])
    })

    it('compares If-Match with the row and revision of the returned version', async () => {
      const id = await database.create('article', { title: 'Match' })
      const row = Number((await database.row('article', id))?.id)
      await database.update('article', id, { views: 1 }, { ifMatch: `"${row}.1-abc"` })
      await database.update('article', id, { views: 2 }, { ifMatch: `W/"${row}.2-abc", "9.9-x"` })
      await database.update('article', id, { views: 3 }, { ifMatch: '*' })
      for (const ifMatch of [`"${row}.3-abc"`, `"${row + 1000}.4-abc"`, '"4-abc"', '"4"'])
        assert.equal((await refusal(database.update('article', id, { views: 4 }, { ifMatch }))).status, 412)
      assert.equal((await database.row('article', id))?.a_views, 3)
      const draft = await database.create('article', { title: 'Draft only' }, { status: 'draft' })
      assert.equal((await refusal(database.update('article', draft, {}, { ifMatch: '*' }))).status, 412)
    })
  })

  describe('validation', () => {
    it('lists every invalid value in one error', async () => {
      const body = {
        title: 'a',
        views: -1,
        big: 'x',
        place: { zip: '1', geo: { lat: 91 } },
        parts: [{ title: 'ok' }, { weight: 'heavy' }, null],
        zone: [{ __component: 'part.quote' }, { __component: 'part.nope' }, { text: 'no component' }],
        tags: ['missing'],
        related: [true],
      }
      assert.deepEqual(await refusedPaths(database.create('article', body)), [
        'big',
        'parts.1.title',
        'parts.1.weight',
        'parts.2',
        'place.geo.lat',
        'place.street',
        'place.zip',
        'related.0',
        'tags.0',
        'title',
        'views',
        'zone.0.text',
        'zone.1.__component',
        'zone.2.__component',
      ])
    })

    it('is less strict for drafts', async () => {
      const incomplete = { title: 'a', code: 'x', place: { zip: '1' }, parts: [], slug: 'with space' }
      const id = await database.create('article', incomplete, { status: 'draft' })
      assert.deepEqual(await refusedPaths(database.update('article', id, {})), [
        'parts',
        'place.street',
        'place.zip',
        'slug',
        'title',
      ])
      const wrong = { title: 'x'.repeat(41), views: -1, place: { geo: { lat: 'north' } } }
      assert.deepEqual(await refusedPaths(database.update('article', id, wrong, { status: 'draft' })), [
        'place.geo.lat',
        'title',
        'views',
      ])
      assert.equal((await database.row('article', id, { status: 'draft' }))?.a_title, 'a')
    })

    it('counts components when publishing', async () => {
      const five = Array.from({ length: 5 }, () => ({ title: 't' }))
      assert.deepEqual(await refusedPaths(database.create('article', { title: 'Many', parts: five })), [
        'parts',
      ])
      const nested = [{ title: 't', items: Array.from({ length: 4 }, () => ({ label: 'l' })) }]
      assert.deepEqual(await refusedPaths(database.create('article', { title: 'Nested', parts: nested })), [
        'parts.0.items',
      ])
    })

    it('refuses unknown, reserved and forbidden keys one at a time', async () => {
      const key = (data: unknown, name = 'article') => refusedKey(database.create(name, data))
      assert.deepEqual(await key({ zzz: 1, title: 5 }), ['ValidationError', 'zzz', null, 'body'])
      for (const reserved of ['id', 'documentId', 'createdAt', 'updatedAt', 'createdBy', 'constructor']) {
        assert.deepEqual((await key({ [reserved]: 1 })).slice(0, 2), ['ValidationError', reserved])
      }
      assert.deepEqual(await key({ parts: [{ items: [{ zzz: 1 }] }] }), [
        'ValidationError',
        'zzz',
        'parts.items',
        'body',
      ])
      assert.deepEqual(await key({ zone: [{ __component: 'part.quote', zzz: 1 }] }), [
        'ValidationError',
        'zzz',
        'zone',
        'body',
      ])
      assert.deepEqual(await key({ tags: { add: [] } }), ['ValidationError', 'add', 'tags', 'body'])
      assert.deepEqual(await key({ tags: [{ foo: 1 }] }), ['ValidationError', 'foo', 'tags', 'body'])
      assert.deepEqual(await key({ subject: null }, 'note'), [
        'ValidationError',
        'subject',
        'subject',
        'body',
      ])
      await database.create('article', { title: 'Ignored', publishedAt: 'x', locale: 'zz' })
    })

    it('refuses keys that the caller may not write, and relations that the caller may not list', async () => {
      const write = (scope: Scope, data: unknown) =>
        database.documents.create(database.request('article', { scope }), data, async () => null)
      const titleOnly = scopeOf({ rule: () => ({ fields: ['title'] }) })
      assert.deepEqual(await refusedKey(write(titleOnly, { title: 'x', views: 1 })), [
        'ValidationError',
        'views',
        null,
        'body',
      ])
      const noTags = scopeOf({ may: (uid) => uid !== 'api::tag.tag' })
      assert.deepEqual(await refusedKey(write(noTags, { title: 'xx', tags: [] })), [
        'ValidationError',
        'tags',
        'tags',
        'body',
      ])
      assert.deepEqual(await refusedKey(write(noTags, { title: 'xx', parts: [{ tags: [] }] })), [
        'ValidationError',
        'tags',
        'parts.tags',
        'body',
      ])
    })

    it('refuses a type that the caller may not list, also for an anchor', async () => {
      const noTags = scopeOf({ may: (uid) => uid !== 'api::tag.tag' })
      const item = { __type: 'api::author.author', documentId: 'a' }
      const forms = [
        [{ ...item, __type: 'api::tag.tag' }],
        { connect: [{ ...item, position: { before: 'b', __type: 'api::tag.tag' } }] },
        { connect: [{ ...item, position: { start: true, __type: 'api::tag.tag' } }] },
      ]
      for (const subjects of forms) {
        const refused = database.documents.create(
          database.request('note', { scope: noTags }),
          { subjects },
          async () => null,
        )
        assert.deepEqual(await refusedKey(refused), ['ValidationError', 'subjects', 'subjects', 'body'])
      }
    })

    it('checks the row rule of the caller before and after the write', async () => {
      const id = await database.create('tag', { label: 'ruled' })
      const asked: string[] = []
      const target = (answers: boolean[]) =>
        database.request('tag', {
          rules: (_type, action) => async (_, written) => {
            asked.push(`${action} ${written.documentId}`)
            return answers.shift() ?? true
          },
        })
      const update = (answers: boolean[]) =>
        database.documents.update(target(answers), id, { label: 'changed' }, async () => null)
      assert.equal((await refusal(update([false]))).status, 403)
      assert.equal((await refusal(update([true, false]))).status, 403)
      assert.equal((await database.row('tag', id))?.a_label, 'ruled')
      await update([true, true])
      // Whether the caller may find the document decides if it is forbidden or missing.
      assert.deepEqual(asked, [`update ${id}`, `find ${id}`, ...Array(4).fill(`update ${id}`)])
      assert.equal((await refusal(database.documents.remove(target([false]), id))).status, 403)
      assert.equal(
        (await refusal(database.documents.create(target([false]), { label: 'n' }, async () => null))).status,
        403,
      )
    })

    it('refuses data that is not an object', async () => {
      for (const data of [[], 'x', null, 5])
        assert.deepEqual(await refusedPaths(database.create('tag', data)), [''])
    })

    it('refuses a locale that is not configured', async () => {
      const { status, details } = await refusal(database.create('article', { title: 'xx' }, { locale: 'zz' }))
      assert.deepEqual([status, details.key], [400, 'locale'])
    })
  })

  describe('uniqueness', () => {
    it('is a ValidationError with the path of the attribute, also for concurrent writes', async () => {
      // From the second round on, the connections have prepared some of the statements.
      for (const code of ['R1', 'R2', 'R3', 'R4']) {
        const created = await Promise.allSettled(
          Array.from({ length: 8 }, () => database.create('article', { title: 'Race', slug: null, code })),
        )
        const lost = created.filter((one) => one.status === 'rejected')
        assert.equal(lost.length, 7)
        for (const { reason } of lost) assert.deepEqual(await refusedPaths(Promise.reject(reason)), ['code'])
      }
      await database.create('tag', { label: 'unique' })
      assert.deepEqual(await refusedPaths(database.create('tag', { label: 'unique' })), ['label'])
    })

    it('does not apply to drafts, other locales or nulls', async () => {
      const draft = await database.create('article', { title: 'Draft', code: 'R1' }, { status: 'draft' })
      assert.deepEqual(await refusedPaths(database.act('publish', 'article', draft)), ['code'])
      await database.create('article', { title: 'French', code: 'R1' }, { locale: 'fr' })
      await database.create('article', { title: 'Null', code: null })
      await database.create('article', { title: 'Null', code: null })
    })
  })

  describe('a single type', () => {
    it('is created by the first write and updated by the next', async () => {
      const put = (data: unknown, locale: string | null = null) =>
        database.documents.upsertSingle(
          database.request('home', { locale }),
          data,
          async (_, written) => written,
        )
      assert.deepEqual(await refusedPaths(put({ edition: 1 })), ['headline'])
      const first = await put({ headline: 'Hello', edition: 1 })
      const second = await put({ edition: 2 })
      assert.equal(second.documentId, first.documentId)
      const french = await put({ headline: 'Bonjour' }, 'fr')
      const { documentId, locale, status } = french
      assert.deepEqual([documentId, locale, status], [first.documentId, 'fr', 'published'])
      assert.equal((await database.row('home', first.documentId, { locale: 'fr' }))?.a_edition, 2)
      await database.documents.removeSingle(database.request('home', { locale: 'fr' }))
      assert.equal(await database.row('home', first.documentId, { locale: 'fr' }), null)
      await database.documents.removeSingle(database.request('home', { locale: '*' }))
      await database.documents.removeSingle(database.request('home'))
      assert.equal(await database.row('home', first.documentId), null)
    })

    it('has one document even if two requests create it concurrently', async () => {
      const written = await Promise.all(
        ['a', 'b', 'c', 'd'].map((headline) =>
          database.documents.upsertSingle(
            database.request('home'),
            { headline },
            async (_, one) => one.documentId,
          ),
        ),
      )
      assert.equal(new Set(written).size, 1)
    })
  })

  describe('several operations in one transaction', () => {
    it('are all or nothing', async () => {
      const both = (label: string) =>
        database.store.write(async (transaction) => {
          const documents = database.documents.within(transaction)
          const id = await documents.create(
            database.request('tag'),
            { label: 'in batch' },
            async (_, one) => one.documentId,
          )
          await documents.update(database.request('tag'), id, { label }, async () => null)
          return id
        })
      await assert.rejects(
        database.store.write(async (transaction) => {
          const documents = database.documents.within(transaction)
          await documents.create(database.request('tag'), { label: 'gone' }, async () => null)
          await documents.create(database.request('tag'), { zzz: 1 }, async () => null)
        }),
      )
      const id = await both('in batch 2')
      assert.equal((await database.row('tag', id))?.a_label, 'in batch 2')
      assert.ok(await database.create('tag', { label: 'gone' }))
    })
  })
})
