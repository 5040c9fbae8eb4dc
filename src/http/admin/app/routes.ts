/** Serves the admin app: one page for all its screens, and the files that the page loads. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errors } from '../../../errors.ts'
import { CACHE_FOREVER, type Storage } from '../../../media/storage/storage.ts'
import { onDemand } from '../../../store/on-demand.ts'
import { declareRoute } from '../../method-routes.ts'
import { APP_FOLDER, type AppFile, type AppFiles, createAppFiles } from './files.ts'
import { createNonce, fillPage, mediaOrigin, pagePolicy } from './page.ts'

const NOT_BUILT = `The admin app is not built. Run "npm run build:admin" in the folder of Octavo, and reload this page.
The content API works without it.
`

/** Adds the app below `appPath`. `storage` decides where the app may load images from. */
export function adminAppRoutes(
  app: FastifyInstance,
  appPath: string,
  storage: Storage,
  files: AppFiles = createAppFiles(APP_FOLDER),
): void {
  const origin = onDemand(() => mediaOrigin(storage))
  const sendPage = async (request: FastifyRequest, reply: FastifyReply) => {
    reply.header('cache-control', 'no-store')
    const template = await files.page()
    if (template === null) return reply.code(503).type('text/plain; charset=utf-8').send(NOT_BUILT)
    const nonce = createNonce()
    reply.headers({
      'content-security-policy': pagePolicy(nonce, await origin()),
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'same-origin',
      'x-frame-options': 'DENY',
    })
    return reply.type('text/html; charset=utf-8').send(fillPage(template, pathOf(request), appPath, nonce))
  }
  declareRoute(app, appPath, { GET: sendPage })
  declareRoute(app, `${appPath}/*`, {
    async GET(request, reply) {
      const name = pathOf(request).slice(appPath.length + 1)
      const file = await files.file(name)
      if (file) return sendFile(request, reply, file, name.startsWith('assets/'))
      // A request for JSON or for a script must not get a page.
      if (/^(api|assets)(\/|$)/.test(name)) throw errors.notFound()
      return sendPage(request, reply)
    },
  })
}

const pathOf = ({ url }: FastifyRequest) => url.split('?', 1)[0] ?? url

/** Names of files in `assets` contain a hash of their content. */
function sendFile({ headers }: FastifyRequest, reply: FastifyReply, file: AppFile, isHashed: boolean) {
  const accepted = headers['accept-encoding'] ?? ''
  reply.type(file.type).headers({
    'cache-control': isHashed ? CACHE_FOREVER : 'no-cache',
    'cross-origin-resource-policy': 'same-origin',
    vary: [reply.getHeader('vary'), 'Accept-Encoding'].filter((name) => name !== undefined).join(', '),
  })
  if (file.brotli && /\bbr\b/.test(accepted)) return reply.header('content-encoding', 'br').send(file.brotli)
  if (file.gzip && /\bgzip\b/.test(accepted)) return reply.header('content-encoding', 'gzip').send(file.gzip)
  return reply.send(file.plain)
}
