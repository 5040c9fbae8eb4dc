/** Keeps credentials, passwords and codes out of the log. */

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

/** Removes the values of secret parameters from a URL. */
export const redactSecrets = (url: string) => url.replace(SECRET_PARAMETER, '$1…')

/** Parameters whose values are only keywords and names of attributes. */
const HARMLESS = /^(sort|fields|populate|pagination|status|locale|publicationFilter|hasPublishedVersion)\b/

/** Removes all values from a URL that may be personal data, such as those of filters. */
export function redactValues(url: string): string {
  const mark = url.indexOf('?')
  if (mark < 0) return url
  const parts = url.slice(mark + 1).split('&')
  return `${url.slice(0, mark + 1)}${parts.map(redactParameter).join('&')}`
}

function redactParameter(part: string): string {
  const equals = part.indexOf('=')
  const name = decode(equals < 0 ? part : part.slice(0, equals))
  if (equals < 0 || (HARMLESS.test(name) && !/filters|cursor/.test(name))) return part
  return `${part.slice(0, equals)}=…`
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Options for pino. */
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
