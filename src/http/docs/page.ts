/**
 * The page at `/docs`: its HTML, and the script that starts Swagger UI. It is one package without dependencies; others
 * that look newer bring a framework and some thirty packages with them.
 */
import { escapeHtml } from '../pages/html-page.ts'

export const renderDocsPage = (title: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="docs"></div>
<script src="/docs/swagger-ui.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`

interface UiRequest {
  url: string
  loadSpec?: boolean
  headers: Record<string, string>
}

interface UiSystem {
  readonly specActions: { download(): void }
  readonly authActions: { authorize(payload: unknown): void; logout(names: readonly string[]): void }
  readonly errActions: { newAuthErr(error: object): void }
}

type UiAction = (payload: unknown) => void
type WrapAction = (original: UiAction, system: UiSystem) => UiAction

declare const SwaggerUIBundle: (options: object) => UiSystem
declare const sessionStorage: {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

/** Sent to the browser as source text, so it must not use anything outside of its body. */
function startDocs(): void {
  /** Where the credential is kept, for this tab only, so that it survives a reload. */
  const KEY = 'octavo.docs.token'
  const DOCUMENT = '/api/openapi.json'
  let token: string | null = null

  /** The document depends on the credential, so a new credential loads it again. */
  const use = (value: string | null, system: UiSystem) => {
    token = value
    if (value === null) sessionStorage.removeItem(KEY)
    else sessionStorage.setItem(KEY, value)
    system.specActions.download()
  }
  const authorize: WrapAction = (original, system) => (payload) => {
    const { bearer } = payload as { bearer?: { value?: string } }
    const value = bearer?.value?.trim().replace(/^bearer\s+/i, '') ?? ''
    original(value === '' ? payload : { bearer: { ...bearer, value } })
    void fetch(DOCUMENT, { headers: { Authorization: `Bearer ${value}` } }).then(({ ok, status }) => {
      if (ok) return use(value, system)
      system.authActions.logout(['bearer'])
      const message = `The server does not accept this token (${status})`
      system.errActions.newAuthErr({ authId: 'bearer', level: 'error', source: 'auth', message })
    })
  }
  const logout: WrapAction = (original, system) => (payload) => {
    original(payload)
    if (token !== null || sessionStorage.getItem(KEY) !== null) use(null, system)
  }

  /** Swagger UI sends nested parameters as JSON, the server expects brackets: `a={"b":["c"]}` becomes `a[b][0]=c`. */
  const withBrackets = (url: string): string => {
    const [path = '', query = ''] = url.split('?', 2)
    const parameters = query.split('&').flatMap((part) => {
      const [key = '', value = ''] = part.split('=', 2)
      if (!/^(filters|populate)(%5B|\[|$)/i.test(key)) return [part]
      return expand(key, decodeURIComponent(value))
    })
    return query === '' ? url : `${path}?${parameters.join('&')}`
  }
  const expand = (key: string, text: string): string[] => {
    try {
      return /^[{[]/.test(text) ? pairs(key, JSON.parse(text)) : [`${key}=${encodeURIComponent(text)}`]
    } catch {
      return [`${key}=${encodeURIComponent(text)}`]
    }
  }
  const pairs = (key: string, value: unknown): string[] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([name, inner]) =>
          pairs(`${key}%5B${encodeURIComponent(name)}%5D`, inner),
        )
      : [`${key}=${encodeURIComponent(String(value))}`]

  const requestInterceptor = (request: UiRequest) => {
    if (request.loadSpec && token) request.headers.Authorization = `Bearer ${token}`
    if (!request.loadSpec) request.url = withBrackets(request.url)
    return request
  }

  const ui = SwaggerUIBundle({
    url: DOCUMENT,
    dom_id: '#docs',
    deepLinking: true,
    docExpansion: 'none',
    defaultModelsExpandDepth: -1,
    filter: true,
    tryItOutEnabled: true,
    displayRequestDuration: true,
    validatorUrl: null,
    requestInterceptor,
    plugins: [() => ({ statePlugins: { auth: { wrapActions: { authorize, logout } } } })],
    onComplete() {
      const stored = sessionStorage.getItem(KEY)
      if (stored === null || token !== null) return
      const schema = { type: 'http', scheme: 'bearer' }
      ui.authActions.authorize({ bearer: { name: 'bearer', schema, value: stored } })
    },
  })
}

export const DOCS_SCRIPT = `${startDocs}\nstartDocs()\n`
