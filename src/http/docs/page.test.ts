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
  readonly plugins: readonly (() => {
    statePlugins: { auth: { wrapActions: { authorize: Wrap; logout: Wrap } } }
  })[]
}

/** Runs the script in a context that has nothing but Swagger UI, and returns the options it passes. */
function runScript(): UiOptions {
  const calls: UiOptions[] = []
  runInNewContext(DOCS_SCRIPT, { SwaggerUIBundle: (options: UiOptions) => calls.push(options) })
  const [options] = calls
  assert.ok(options)
  return options
}

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

  it('loads the document again after signing in and after signing out', () => {
    const { requestInterceptor, plugins } = runScript()
    let reads = 0
    const system = { specActions: { download: () => reads++ } }
    const [plugin] = plugins
    assert.ok(plugin)
    const { authorize, logout } = plugin().statePlugins.auth.wrapActions
    const header = () =>
      requestInterceptor({ url: '/api/openapi.json', loadSpec: true, headers: {} }).headers.Authorization
    assert.equal(header(), undefined)
    authorize(() => {}, system)({ bearer: { value: 'secret' } })
    assert.deepEqual([header(), reads], ['Bearer secret', 1])
    logout(() => {}, system)(['bearer'])
    assert.deepEqual([header(), reads], [undefined, 2])
  })
})
