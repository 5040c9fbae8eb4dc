import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { inverseColumns } from '../../src/store/tables/layout.ts'
import { onEachEngine, type TestEngine } from '../support/engines.ts'
import { routesOf } from '../support/routes.ts'
import { FULL, type Indexes, type Library, openLibrary } from './library.ts'

interface SuggestedIndex {
  readonly contentType: string
  readonly on: readonly string[]
  readonly because: string
  readonly declare: unknown
}

interface Explanation {
  readonly engine: string
  readonly statement: string
  readonly parameters: readonly unknown[]
  readonly plan: unknown
  readonly indexes: {
    readonly used: readonly {
      readonly name: string
      readonly table: string
      readonly on: readonly string[]
    }[]
    readonly suggested: readonly SuggestedIndex[]
    readonly unserved: readonly string[]
  }
  readonly scans: readonly string[]
  readonly omitted: readonly string[]
  readonly roles: Readonly<Record<string, { readonly status: number; readonly omitted: readonly string[] }>>
}

async function explain(library: Library, path: string, token = library.admin): Promise<Explanation> {
  const { status, text } = await library.get(`${path}${path.includes('?') ? '&' : '?'}explain=true`, token)
  assert.equal(status, 200, text)
  const { data }: { data: Explanation } = JSON.parse(text)
  return data
}

const suggested = ({ indexes }: Explanation) =>
  indexes.suggested.map(({ contentType, on }) => [contentType, on])
const used = ({ indexes }: Explanation) => indexes.used.map(({ name }) => name)

onEachEngine((engine) => {
  let library: Library
  before(async () => {
    library = await openLibrary(await engine.freshUrl())
  })
  after(() => library.close())

  it('returns the statement, its parameters, the plan and the indexes to an admin', async () => {
    const data = await explain(library, '/api/books?filters[slug]=emma&populate=author')
    assert.equal(data.engine, engine.name)
    assert.match(data.statement, /^select /)
    assert.match(data.statement, /as total/, 'the statement counts the list')
    assert.doesNotMatch(data.statement, /emma/)
    assert.ok(data.parameters.includes('emma'))
    assert.ok(JSON.stringify(data.plan).length > 20)
    assert.deepEqual(suggested(data), [], 'a uid has an index')
    const unique = data.indexes.used.find(({ name }) => /^books.a_slug.unique$/.test(name))
    assert.deepEqual([unique?.table, unique?.on], ['books', ['locale', 'slug']])
  })

  it('names the index of inverse relations', async () => {
    const { indexes } = await explain(library, '/api/authors/abc?populate=books')
    assert.deepEqual(
      indexes.used.find(({ name }) => name === 'octavo_edges_inverse'),
      {
        name: 'octavo_edges_inverse',
        table: 'octavo_edges',
        on: inverseColumns(engine.dialect),
      },
    )
  })

  it('explains a single document, with the usual errors', async () => {
    const one = await explain(library, '/api/books/abc?populate=author')
    assert.ok(one.parameters.includes('abc'))
    assert.ok(
      used(one).some((name) => name.startsWith('books_')),
      used(one).join(),
    )
    assert.equal((await library.get('/api/books?filters[none]=1&explain=true', library.admin)).status, 400)
    assert.equal((await library.get('/api/books?explain=perhaps', library.admin)).status, 400)
    assert.equal((await library.get('/api/none?explain=true', library.admin)).status, 404)
  })

  it('recognizes the parameter in any encoding, and rejects lists', async () => {
    for (const name of ['%65xplain', 'ex%70l%61in', '%65%78%70%6C%61%69%6e']) {
      const { status, text } = await library.get(`/api/books?${name}=true`, library.admin)
      assert.equal(status, 200, name)
      assert.match(text, /"statement":"select /, name)
      assert.equal((await library.get(`/api/books?${name}=true`)).status, 403, name)
      assert.match(
        (await library.get(`/api/auth/email-confirmation?${name}=true`)).text,
        /reads no content/,
        name,
      )
    }
    for (const query of ['explain[]=true', 'explain%5B%5D=true', 'explain[0]=true', 'explain[a]=true']) {
      const wrong = await library.get(`/api/books?${query}`, library.admin)
      assert.equal(wrong.status, 400, query)
      assert.match(wrong.text, /explain.*expected true or false/, query)
      assert.equal((await library.get(`/api/books?${query}`)).status, 403, query)
      const none = await library.get(`/api/auth/email-confirmation?${query}`)
      assert.match(none.text, /reads no content/, query)
    }
    const others = ['_q=explain', 'filters[title]=%7Bexplain%7D', 'explains=true', '_q=%65xplain=true']
    for (const query of others) {
      const plain = await library.get(`/api/books?${query}`)
      assert.deepEqual([plain.status, Array.isArray(plain.json().data)], [200, true], query)
    }
  })

  it('rejects other callers without revealing SQL, and ignores explain=false', async () => {
    for (const token of [undefined, FULL]) {
      const refused = await library.get('/api/books?explain=true', token)
      assert.equal(refused.status, 403)
      assert.doesNotMatch(refused.text, /select|books/i)
      const plain = await library.get('/api/books?explain=false', token)
      assert.deepEqual([plain.status, Array.isArray(plain.json().data)], [200, true])
    }
    assert.equal(
      (await library.get('/api/books?explain=true', 'octavo_unknown-0123456789abcdef')).status,
      401,
    )
  })

  it('is a known parameter with strictParams', async () => {
    const strict = await openLibrary(await engine.freshUrl(), { api: { rest: { strictParams: true } } })
    try {
      await explain(strict, '/api/books')
      assert.equal((await strict.get('/api/books?explain=false')).status, 200)
      assert.equal((await strict.get('/api/books?explains=true')).status, 400)
    } finally {
      await strict.close()
    }
  })

  it('lists what a signed-in admin may not see', async () => {
    const jwt = await signInAdmin(library, 'ada')
    const data = await explain(library, '/api/books?populate=author', jwt)
    assert.deepEqual(data.omitted, ['author'])
    assert.doesNotMatch(data.statement, /authors/)
    assert.deepEqual((await explain(library, '/api/books?populate=author')).omitted, [])
  })

  it('lists what each role would get for the same read', async () => {
    const roles = async (path: string) => (await explain(library, path)).roles
    assert.deepEqual(await roles('/api/books?populate=author'), {
      admin: { status: 200, omitted: ['author'] },
      authenticated: { status: 403, omitted: [] },
      author: { status: 200, omitted: [] },
      editor: { status: 200, omitted: [] },
      public: { status: 200, omitted: ['author'] },
    })
    assert.equal((await roles('/api/books?filters[author][name]=x')).public?.status, 400)
    assert.equal((await roles('/api/authors')).public?.status, 403)
    assert.deepEqual((await roles('/api/books/abc')).public, { status: 200, omitted: [] })
    const own = { action: 'find', filters: { author: '$user.documentId' } }
    await library.server.access.roles.setPermissions('authenticated', { 'api::book.book': [own] })
    assert.deepEqual((await roles('/api/books')).authenticated, { status: 200, omitted: [] })
    await library.server.access.roles.setPermissions('authenticated', { 'api::book.book': [] })
  })

  it('explains users, files and roles', async () => {
    const users = await explain(library, '/api/users?filters[username][$startsWith]=a&limit=7')
    assert.match(users.statement, /"octavo_users"/)
    assert.doesNotMatch(users.statement, /as total/)
    assert.ok(users.parameters.includes('a'))
    const reads: readonly (readonly [path: string, statement: RegExp, parameter?: unknown])[] = [
      ['/api/users/count?filters[blocked]=true', /from "octavo_users".* as total/],
      ['/api/users/12?populate=role', /"octavo_roles".*"octavo_users"/, 12],
      ['/api/users-permissions/roles', /"octavo_roles"/, 'admin'],
      ['/api/upload/files?folder=/pets&sort=name', /"octavo_files".*"a_folderPath".* as total/, '/pets'],
      ['/api/upload/files/12', /"octavo_files"/, 12],
      ['/api/upload/files/abc', /"octavo_files"/, 'abc'],
      ['/api/upload/folders', /count\(\*\).*"octavo_files"/],
      ['/admin/api/roles', /"octavo_roles"/],
      ['/admin/api/roles/public', /"octavo_roles"/],
    ]
    for (const [path, statement, parameter] of reads) {
      const data = await explain(library, path)
      assert.match(data.statement.replaceAll(/\s+/g, ' '), statement, path)
      assert.ok(
        parameter === undefined || data.parameters.includes(parameter),
        JSON.stringify(data.parameters),
      )
      assert.ok(JSON.stringify(data.plan).length > 20, path)
      assert.ok(Array.isArray(data.indexes.suggested), path)
    }
  })

  it('lists what each role would get for users, files and roles', async () => {
    const statuses = async (path: string, token?: string) =>
      Object.entries((await explain(library, path, token)).roles).map(([role, { status }]) => [role, status])
    const denied = { admin: 403, authenticated: 403, author: 403, editor: 403, public: 403 }
    // Editors and authors may choose users and files for a document.
    const forEditors = { ...denied, author: 200, editor: 200 }
    for (const path of ['/api/users', '/api/upload/files', '/api/upload/folders'])
      assert.deepEqual(Object.fromEntries(await statuses(path)), forEditors, path)
    assert.deepEqual(Object.fromEntries(await statuses('/api/users/1')), denied)
    const own = Object.fromEntries(await statuses('/api/users/me', await signInAdmin(library, 'grace')))
    assert.deepEqual(own, { admin: 200, authenticated: 200, author: 200, editor: 200, public: 403 })
    assert.deepEqual(Object.fromEntries(await statuses('/admin/api/roles')), { ...denied, admin: 200 })
  })

  it('rejects other callers and invalid requests for users, files and roles', async () => {
    const paths = ['/api/users', '/api/users/count', '/api/users/1', '/api/users-permissions/roles']
    for (const path of [...paths, '/api/users/me', '/api/upload/files', '/api/upload/folders'])
      for (const token of [undefined, FULL]) {
        const refused = await library.get(`${path}?explain=true`, token)
        assert.equal(refused.status, 403, path)
        assert.doesNotMatch(refused.text, /select/i)
      }
    assert.equal((await library.get('/api/users?explain=false', FULL)).status, 200)
    for (const [path, status] of [
      ['/api/users?filters[none]=1', 400],
      ['/api/users?pagination[cursor]=start', 400],
      ['/api/upload/files?pagination[cursor]=start', 400],
      ['/api/users/none?sort=id', 404],
      ['/api/users/me?sort=id', 401],
    ] as const)
      assert.equal((await library.get(`${path}&explain=true`, library.admin)).status, status, path)
  })

  it('routes that do not read content reject the parameter', async () => {
    const explained: string[] = []
    for (const { method, pattern } of routesOf(library.server)) {
      // Uploaded files and those of the admin app are sent whatever their query string is.
      if (method !== 'GET' || /^\/uploads\/|^\/admin\/?\*?$|\/actions\/|\/history\b/.test(pattern)) continue
      const path = pattern.replace('/api/:name', '/api/books').replace(/:\w+/, '1')
      const { status, json } = await library.get(`${path}?explain=true`, library.admin)
      // The path only supports other methods.
      if (status === 405) continue
      // The admin app reads with a session, not with a token.
      if (status === 401 && pattern.startsWith('/admin/api/')) continue
      // An API token has no account.
      if (status === 200 || path === '/api/users/me') explained.push(pattern)
      else {
        const { error } = json()
        assert.equal(status, 400, path)
        assert.match(JSON.stringify(error), /reads no content.*"param":"explain"/, path)
      }
    }
    assert.deepEqual(explained.sort(), [
      ...['/admin/api/roles', '/admin/api/roles/:type'],
      ...['/api/:name', '/api/:name/:id'],
      ...['/api/upload/files', '/api/upload/files/:id', '/api/upload/files/page', '/api/upload/folders'],
      ...[
        '/api/users',
        '/api/users-permissions/roles',
        '/api/users/:id',
        '/api/users/count',
        '/api/users/me',
      ],
    ])
    assert.equal((await library.get('/healthz?explain=false')).status, 200)
  })

  it('suggests an index for filters and sorts', async () => {
    const on = async (query: string) => suggested(await explain(library, `/api/books?${query}`))
    const book = 'api::book.book'
    assert.deepEqual(await on('filters[shelf]=a'), [[book, ['shelf']]])
    assert.deepEqual(await on('sort=year:desc'), [[book, ['year']]])
    assert.deepEqual(await on('filters[shelf]=a&sort=year'), [[book, ['shelf', 'year']]])
    assert.deepEqual(await on('filters[shelf]=a&filters[year][$gt]=3&sort=title'), [
      [book, ['shelf', 'year']],
    ])
    assert.deepEqual(await on('filters[author][name]=Jane'), [['api::author.author', ['name']]])
    assert.deepEqual(await on('filters[$or][0][shelf]=a&filters[$or][1][title]=b'), [
      [book, ['shelf']],
      [book, ['title']],
    ])
  })

  it('suggests no index where one exists or none would help', async () => {
    const on = async (query: string) => (await explain(library, `/api/books?${query}`)).indexes
    for (const query of [
      '',
      'sort=id',
      'filters[documentId]=x',
      'filters[slug]=a&sort=title',
      'filters[lent]=true',
    ])
      assert.deepEqual((await on(query)).suggested, [], query)
    const contains = await on('filters[title][$containsi]=x')
    assert.deepEqual(contains.suggested, [])
    assert.deepEqual(contains.unserved, [
      'api::book.book: title is compared by a part of its text regardless of case',
    ])
    assert.deepEqual((await on('filters[summary]=x')).suggested, [], 'a text may be too long for an index')
    assert.match(String((await on('sort=author.name')).unserved), /sorted by name of related documents/)
  })

  it('suggests an SQL statement where the schema cannot declare the index', async () => {
    const [advice] = (await explain(library, '/api/books?sort=createdAt:desc')).indexes.suggested
    assert.equal(
      advice?.declare,
      `CREATE INDEX "books_created_at" ON "books" ("published", "locale", "created_at"${
        engine.name === 'postgres' ? ' NULLS FIRST' : ''
      }, "id")`,
    )
    await library.server.store.write(async (transaction) =>
      transaction.run({ sql: String(advice?.declare), parameters: [] }),
    )
  })

  it('a suggested index is used once it is declared, and no longer suggested', async () => {
    const url = await engine.freshUrl()
    const query = '/api/books?filters[shelf]=s7&sort=year&pagination[withCount]=false'
    const without = await openLibrary(url)
    let declared: Indexes = {}
    try {
      await fill(without, engine)
      const [advice] = (await explain(without, query)).indexes.suggested
      assert.deepEqual(advice?.declare, { options: { indexes: [['shelf', 'year']] } })
      assert.equal(advice?.because, 'shelf is compared with a value, and documents are sorted by year')
      declared = { book: [['shelf', 'year']] }
    } finally {
      await without.close()
    }
    const served = await openLibrary(url, {}, declared)
    try {
      if (engine.name === 'postgres')
        await served.server.store.write(async (transaction) =>
          transaction.run({ sql: 'ANALYZE', parameters: [] }),
        )
      const data = await explain(served, query)
      assert.deepEqual(data.indexes.suggested, [])
      assert.ok(used(data).includes('books_a_shelf_a_year_index'), JSON.stringify(data.plan, null, 1))
      assert.ok(isInOrder(data.plan), JSON.stringify(data.plan, null, 1))
    } finally {
      await served.close()
    }
  })
})

/** Creates an admin and signs them in. */
async function signInAdmin({ server, base, admin }: Library, username: string): Promise<string> {
  const password = `${username}-Passw0rd`
  const { principal: by } = await server.access.scopeOf(`Bearer ${admin}`)
  await server.access.admins.create(
    { username, email: `${username}@example.test`, password },
    { by, origin: null },
  )
  const signedIn = await fetch(`${base}/api/auth/local`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ identifier: username, password }),
  })
  const { jwt }: { jwt: string } = JSON.parse(await signedIn.text())
  return jwt
}

/** Whether the rows come from the index in order, without sorting. */
function isInOrder(plan: unknown): boolean {
  if (Array.isArray(plan)) return !plan.some((line) => /TEMP B-TREE/.test(line))
  const text = JSON.stringify(plan)
  return /"Node Type":"Limit"[^[]*"Plans":\[\{"Node Type":"Index (Only )?Scan"/.test(text)
}

/** Adds thousands of books, so that the engine prefers an index. */
async function fill({ server }: Library, engine: TestEngine): Promise<void> {
  const numbers =
    engine.name === 'sqlite'
      ? 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) SELECT i FROM n'
      : 'SELECT i FROM generate_series(1, 5000) AS n (i)'
  await server.store.write(async (transaction) => {
    transaction.run({
      sql: `INSERT INTO books (document_id, locale, published, created_at, updated_at, published_at, served, a_shelf, a_year)
        SELECT 'd' || i, '', 1, 'now', 'now', 'now', '', 's' || (i % 100), i FROM (${numbers}) AS m`,
      parameters: [],
    })
    transaction.touch('books')
  })
}
