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
export const loggedUrl = (url: string) => url.replace(SECRET_PARAMETER, '$1…')

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
      url: loggedUrl(request.url),
      address: request.ip,
    }),
  },
}
