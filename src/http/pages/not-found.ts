/** The response to a path without a route: JSON for programs, a page with links for browsers. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { errors } from '../../errors.ts'
import type { Project } from '../../model/load-project.ts'
import { GUIDE_PATH } from '../docs/guide/routes.ts'
import { sendError } from '../response/error-response.ts'
import { frontPage, type PageLink } from './front-page.ts'
import { sendPage } from './html-page.ts'

/** Paths of programs and files. What is missing there is never a page. */
const NOT_FOR_PAGES = /^\/(api|uploads|healthz|metrics)(\/|$)/

/** A project that has a route for `/` replaces the front page. */
export function addNotFound(app: FastifyInstance, project: Project): void {
  const links = linksOf(project)
  const title = project.name ?? 'Octavo'
  app.setNotFoundHandler((request, reply) => {
    const [path = '/'] = request.url.split('?', 1)
    const isFront = path === '/'
    if (!wantsPage(request, path, isFront)) return sendError(reply, errors.notFound())
    const page = { title, links, missing: isFront ? null : decoded(path) }
    reply.code(isFront ? 200 : 404).header('cache-control', 'no-cache')
    return sendPage(reply, frontPage(page, rootFrom(path)))
  })
}

function linksOf({ config: { admin, docs } }: Project): PageLink[] {
  return [
    ...(admin.enabled
      ? [{ path: admin.path.slice(1), title: 'Admin app', description: 'Write and publish content' }]
      : []),
    ...(docs.enabled
      ? [
          { path: 'docs', title: 'API reference', description: 'Read about requests and try them' },
          { path: GUIDE_PATH.slice(1), title: 'Guide', description: 'Learn how to use Octavo' },
        ]
      : []),
    { path: 'api/openapi.json', title: 'OpenAPI document', description: 'For generators and other tools' },
  ]
}

/** The front page is for everyone who does not ask for JSON; other pages only for browsers. */
function wantsPage({ method, headers }: FastifyRequest, path: string, isFront: boolean): boolean {
  if ((method !== 'GET' && method !== 'HEAD') || NOT_FOR_PAGES.test(path)) return false
  const { accept = '*/*' } = headers
  return /\btext\/html\b/i.test(accept) || (isFront && !/\bjson\b/i.test(accept))
}

const rootFrom = (path: string) => '../'.repeat(Math.max(path.split('/').length - 2, 0)) || './'

/** As a person would write the path. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
