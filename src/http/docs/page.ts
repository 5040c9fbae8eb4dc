/** The page at `/docs`: its HTML, and the script that starts Swagger UI. */

export const DOCS_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Content API</title>
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
}

type UiAction = (payload: unknown) => void
type WrapAction = (original: UiAction, system: UiSystem) => UiAction

declare const SwaggerUIBundle: (options: object) => void

/** Sent to the browser as source text, so it must not use anything outside of its body. */
function startDocs(): void {
  let token: string | null = null

  /** The document depends on the credential, so a new credential loads it again. */
  const authorize: WrapAction = (original, system) => (payload) => {
    original(payload)
    const { bearer } = payload as { bearer?: { value?: string } }
    token = bearer?.value ?? null
    system.specActions.download()
  }
  const logout: WrapAction = (original, system) => (payload) => {
    original(payload)
    token = null
    system.specActions.download()
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

  SwaggerUIBundle({
    url: '/api/openapi.json',
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
  })
}

export const DOCS_SCRIPT = `${startDocs}\nstartDocs()\n`
