/** What a log never holds: credentials, passwords, codes. */

const SECRET_NAMES = [
  'password',
  'passwordConfirmation',
  'currentPassword',
  'code',
  'confirmation',
  'token',
  'secret',
  'jwt',
  'refreshToken',
  'access_token',
  'authorization',
]

const SECRET_HEADERS = ['authorization', 'cookie', 'set-cookie', 'proxy-authorization']

const SECRET_PARAMETER = new RegExp(`([?&](?:${SECRET_NAMES.join('|')})=)[^&]*`, 'gi')

/** The url of a request with the values of secret parameters left out. */
export const redactSecrets = (url: string) => url.replace(SECRET_PARAMETER, '$1…')

/** Parameters whose values are words of the interface and names of the model. */
const OUTLINE = /^(sort|fields|populate|pagination|status|locale|publicationFilter|hasPublishedVersion)\b/

/** The url of a read with every value left out that a caller may have meant for nobody else: what filters compare with. */
export function redactValues(url: string): string {
  const mark = url.indexOf('?')
  if (mark < 0) return url
  const parts = url.slice(mark + 1).split('&')
  return `${url.slice(0, mark + 1)}${parts.map(outlined).join('&')}`
}

function outlined(part: string): string {
  const equals = part.indexOf('=')
  const name = decoded(equals < 0 ? part : part.slice(0, equals))
  if (equals < 0 || (OUTLINE.test(name) && !/filters|cursor/.test(name))) return part
  return `${part.slice(0, equals)}=…`
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Options for pino: requests are logged by method and url, and no line holds a secret. */
export const logOptions = {
  redact: {
    paths: [
      ...SECRET_HEADERS.flatMap((name) => [`headers["${name}"]`, `*.headers["${name}"]`]),
      ...SECRET_NAMES.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
    ],
    censor: '…',
  },
  serializers: {
    req: (request: { method: string; url: string; id?: unknown; ip?: string }) => ({
      id: request.id,
      method: request.method,
      url: redactSecrets(request.url),
      address: request.ip,
    }),
  },
}
