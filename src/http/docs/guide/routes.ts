/**
 * The guides that come with Octavo, at `/docs/guide`: a list like that of the README, each as a page, as Markdown if its
 * name ends with `.md`, and their pictures.
 */
import { readFile } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { errors } from '../../../errors.ts'
import { onDemand } from '../../../store/on-demand.ts'
import { declareRoute, pathParam } from '../../method-routes.ts'
import { escapeHtml, sendPage } from '../../pages/html-page.ts'
import { PAGE_HEADERS } from '../../response/common-headers.ts'
import type { Guide } from './page.ts'

export const GUIDE_PATH = '/docs/guide'

/** The folder of the guides, in the package and in a checkout. */
const GUIDES = new URL('../../../../docs/', import.meta.url)

const PICTURE_TYPES: Readonly<Record<string, string>> = { svg: 'image/svg+xml', webp: 'image/webp' }

export function guideRoutes(app: FastifyInstance): void {
  const guides = onDemand(readGuides)
  declareRoute(app, GUIDE_PATH, {
    GET: async (_request, reply) => {
      const content = `<p>How to use Octavo.</p>\n<ul>\n${(await guides()).map(renderLink).join('\n')}\n</ul>`
      reply.header('cache-control', 'no-cache')
      return sendPage(reply, { title: 'Octavo guide', heading: 'Octavo guide', content })
    },
  })
  declareRoute(app, `${GUIDE_PATH}/:name`, {
    GET: async (request, reply) => {
      const file = pathParam(request, 'name')
      reply.header('cache-control', 'no-cache')
      if (file.endsWith('.svg')) return sendPicture(reply, file)
      const all = await guides()
      const guide = all.find(({ name }) => name === file.replace(/\.md$/, ''))
      if (!guide) throw errors.notFound()
      const markdown = await readFile(new URL(`${guide.name}.md`, GUIDES), 'utf8')
      if (file.endsWith('.md')) return reply.type('text/plain; charset=utf-8').send(markdown)
      // Loaded on demand, with the Markdown package.
      const { GUIDE_POLICY, renderGuidePage } = await import('./page.ts')
      return reply
        .headers(PAGE_HEADERS)
        .header('content-security-policy', GUIDE_POLICY)
        .type('text/html; charset=utf-8')
        .send(renderGuidePage(guide, markdown, all))
    },
  })
  declareRoute(app, `${GUIDE_PATH}/pictures/:name`, {
    GET: async (request, reply) => sendPicture(reply, `pictures/${pathParam(request, 'name')}`),
  })
}

async function sendPicture(reply: FastifyReply, file: string) {
  const [, extension = ''] = /^(?:pictures\/)?[\w-]+\.(svg|webp)$/.exec(file) ?? []
  const type = PICTURE_TYPES[extension]
  const content = type && (await readFile(new URL(file, GUIDES)).catch(() => undefined))
  if (!content) throw errors.notFound()
  return reply.header('cache-control', 'no-cache').type(type).send(content)
}

/** A row of the README's table of guides. */
const ROW = /^\| \[([^\]]+)\]\(docs\/([\w-]+)\.md\) \| (.*) \|$/gm

async function readGuides(): Promise<readonly Guide[]> {
  const readme = await readFile(new URL('../README.md', GUIDES), 'utf8')
  return [...readme.matchAll(ROW)].map(([, title = '', name = '', description = '']) => ({
    title,
    name,
    description,
  }))
}

/** Relative to the list, so that links also work behind a proxy with a prefix. */
const renderLink = ({ name, title, description }: Guide) =>
  `<li><a href="guide/${name}"><strong>${escapeHtml(title)}</strong>${escapeHtml(capitalize(description))}</a></li>`

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
