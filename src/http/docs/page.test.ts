import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { runInNewContext } from 'node:vm'
import { DOCS_SCRIPT } from './page.ts'

interface UiRequest {
  url: string
  loadSpec?: boolean
  headers: Record<string, string>
}

type Action = (payload: unknown) => void
type Wrap = (original: Action, system: object) => Action

interface UiOptions {
  readonly url: string
  readonly validatorUrl: null
  readonly requestInterceptor: (request: UiRequest) => UiRequest
  readonly onComplete: () => void
  readonly plugins: readonly (() => {
    statePlugins: { auth: { wrapActions: { authorize: Wrap; logout: Wrap } } }
  })[]
}

/** What the script finds in the browser, besides Swagger UI. */
interface Page {
  readonly storage: Map<string, string>
  /** The status of the response to a request for the document with this credential. */
  readonly statusFor: (authorization: string) => number
}

const emptyPage = (): Page => ({ storage: new Map(), statusFor: () => 200 })

/** Runs the script in a context that has nothing else, and returns the options it passes. */
function runScript({ storage, statusFor }: Page = emptyPage(), ui: object = {}): UiOptions {
  const calls: UiOptions[] = []
  runInNewContext(DOCS_SCRIPT, {
    SwaggerUIBundle: (options: UiOptions) => {
      calls.push(options)
      return ui
    },
    sessionStorage: {
      getItem: (key: string) => storage.get(key) ?? null,
      setItem: (key: string, value: string) => storage.set(key, value),
      removeItem: (key: string) => storage.delete(key),
    },
    fetch: async (_url: string, { headers }: { headers: { Authorization: string } }) => {
      const status = statusFor(headers.Authorization)
      return { ok: status === 200, status }
    },
  })
  const [options] = calls
  assert.ok(options)
  return options
}

/** Lets the script receive a response. */
const settled = () => new Promise(setImmediate)

describe('the script of the documentation page', () => {
  it('loads the document of this server, without an online validator', () => {
    const { url, validatorUrl } = runScript()
    assert.deepEqual([url, validatorUrl], ['/api/openapi.json', null])
  })

  it('sends nested parameters in brackets, and others unchanged', () => {
    const { requestInterceptor } = runScript()
    const sent = (query: string) => {
      const encoded = query.replaceAll(/[^=&]+/g, encodeURIComponent)
      return decodeURIComponent(requestInterceptor({ url: `/api/x?${encoded}`, headers: {} }).url)
    }
    assert.equal(
      sent('filters[name]={"$in":["a","b?c"]}&populate={"chef":{"fields":["name"]}}&_q={"x":1}'),
      '/api/x?filters[name][$in][0]=a&filters[name][$in][1]=b?c&populate[chef][fields][0]=name&_q={"x":1}',
    )
    assert.equal(sent('populate=chef,cover&filters[stars]=3'), '/api/x?populate=chef,cover&filters[stars]=3')
    assert.equal(sent('filters[name]={broken'), '/api/x?filters[name]={broken')
    assert.equal(requestInterceptor({ url: '/api/x', headers: {} }).url, '/api/x')
  })

  it('loads the document again after signing in and after signing out', async () => {
    const { requestInterceptor, plugins } = runScript()
    let reads = 0
    const system = { specActions: { download: () => reads++ } }
    const [plugin] = plugins
    assert.ok(plugin)
    const { authorize, logout } = plugin().statePlugins.auth.wrapActions
    const header = () =>
      requestInterceptor({ url: '/api/openapi.json', loadSpec: true, headers: {} }).headers.Authorization
    assert.equal(header(), undefined)
    authorize(() => {}, system)({ bearer: { value: ' Bearer secret ' } })
    await settled()
    assert.deepEqual([header(), reads], ['Bearer secret', 1])
    logout(() => {}, system)(['bearer'])
    assert.deepEqual([header(), reads], [undefined, 2])
  })

  it('keeps the page when the server refuses a token, and says so', async () => {
    const { plugins, requestInterceptor } = runScript({ ...emptyPage(), statusFor: () => 401 })
    const calls: unknown[] = []
    const system = {
      specActions: { download: () => calls.push('download') },
      authActions: { logout: (names: unknown) => calls.push(['logout', names]) },
      errActions: { newAuthErr: ({ message }: { message: string }) => calls.push(message) },
    }
    plugins[0]?.().statePlugins.auth.wrapActions.authorize(() => {}, system)({ bearer: { value: 'wrong' } })
    await settled()
    assert.equal(
      JSON.stringify(calls),
      '[["logout",["bearer"]],"The server does not accept this token (401)"]',
    )
    assert.deepEqual(requestInterceptor({ url: '/x', loadSpec: true, headers: {} }).headers, {})
  })

  it('uses the token of the tab again after a reload', () => {
    const storage = new Map([['octavo.docs.token', 'kept']])
    const given: unknown[] = []
    const ui = { authActions: { authorize: (payload: unknown) => given.push(payload) } }
    runScript({ ...emptyPage(), storage }, ui).onComplete()
    assert.match(JSON.stringify(given), /"value":"kept"/)
  })
})
