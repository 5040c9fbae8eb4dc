/**
 * The cookie of the admin app. It counts as the credential of a request to the admin API, if the request comes from a page
 * of this server: other sites cannot act with the session of someone who visits them.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { cookieAuthorization } from '../../../access/credentials/bearer.ts'
import type { TeamSession } from '../../../access/team/team-sessions.ts'
import { errors } from '../../../errors.ts'
import type { Config } from '../../../project/config/config.ts'

const NAME = 'octavo_session'

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

type SessionConfig = Pick<Config, 'server' | 'admin'>

/** Adds the credential of the cookie to requests that have no Authorization header. */
export function acceptSessionCookie(app: FastifyInstance, config: SessionConfig): void {
  app.addHook('onRequest', async (request) => {
    const { headers } = request.raw
    if (headers.authorization !== undefined) return
    const secret = secretIn(headers.cookie)
    if (secret === null) return
    checkOrigin(request, config)
    headers.authorization = cookieAuthorization(secret)
  })
}

/** Refuses requests from pages of other sites, and changes by requests that do not say where they come from. */
export function checkOrigin({ method, headers, host }: FastifyRequest, { server }: SessionConfig): void {
  const { origin } = headers
  const isOwn =
    origin === undefined
      ? SAFE_METHODS.has(method)
      : hostOf(origin) === host.toLowerCase() || origin === originOf(server.url)
  if (!isOwn) throw errors.foreignOrigin(origin)
}

export function setSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  config: SessionConfig,
  secret: string,
  { expiresAt }: TeamSession,
): void {
  const seconds = Math.ceil((Date.parse(expiresAt) - Date.now()) / 1000)
  reply.header('set-cookie', cookie(request, config, secret, seconds))
}

export function clearSessionCookie(request: FastifyRequest, reply: FastifyReply, config: SessionConfig) {
  reply.header('set-cookie', cookie(request, config, '', 0))
}

function cookie(
  { protocol }: FastifyRequest,
  { server, admin }: SessionConfig,
  secret: string,
  seconds: number,
): string {
  const isSecure = protocol === 'https' || server.url?.startsWith('https:')
  const path = server.url === null ? '' : new URL(server.url).pathname.replace(/\/$/, '')
  const attributes = [`Path=${path}${admin.path}`, `Max-Age=${seconds}`, 'HttpOnly', 'SameSite=Strict']
  return [`${NAME}=${secret}`, ...attributes, ...(isSecure ? ['Secure'] : [])].join('; ')
}

function secretIn(header: string | undefined): string | null {
  const pair = header?.split(';').find((one) => one.trim().startsWith(`${NAME}=`))
  const secret = pair?.slice(pair.indexOf('=') + 1).trim()
  return secret && /^[\w-]{1,200}$/.test(secret) ? secret : null
}

const originOf = (url: string | null) => (url === null ? null : new URL(url).origin)

/** Null when the text is not an origin, such as `null`, which a page in a sandbox sends. */
const hostOf = (origin: string) => (URL.canParse(origin) ? new URL(origin).host : null)
