/** The guides that come with Octavo, at `/docs/guide`: a list like that of the README, and the text of each. */
import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { errors } from '../../errors.ts'
import { onDemand } from '../../store/on-demand.ts'
import { declareRoute, pathParam } from '../method-routes.ts'
import { escapeHtml, sendPage } from '../pages/html-page.ts'

export const GUIDE_PATH = '/docs/guide'

/** The root of the package, and of a checkout. */
const ROOT = new URL('../../../', import.meta.url)

interface Guide {
  readonly file: string
  readonly title: string
  readonly description: string
}

export function guideRoutes(app: FastifyInstance): void {
  const guides = onDemand(readGuides)
  declareRoute(app, GUIDE_PATH, {
    GET: async (_request, reply) => {
      const content = `<p>How to use Octavo, as plain text.</p>\n<ul>\n${(await guides()).map(renderGuide).join('\n')}\n</ul>`
      reply.header('cache-control', 'no-cache')
      return sendPage(reply, { title: 'Octavo guide', heading: 'Octavo guide', content })
    },
  })
  declareRoute(app, `${GUIDE_PATH}/:name`, {
    GET: async (request, reply) => {
      const name = pathParam(request, 'name')
      const guide = (await guides()).find(({ file }) => file === name)
      if (!guide) throw errors.notFound()
      reply.header('cache-control', 'no-cache').type('text/plain; charset=utf-8')
      return reply.send(await readFile(new URL(`docs/${guide.file}`, ROOT)))
    },
  })
}

/** A row of the README's table of guides. */
const ROW = /^\| \[([^\]]+)\]\(docs\/([\w-]+\.md)\) \| (.*) \|$/gm

async function readGuides(): Promise<readonly Guide[]> {
  const readme = await readFile(new URL('README.md', ROOT), 'utf8')
  return [...readme.matchAll(ROW)].map(([, title = '', file = '', description = '']) => ({
    title,
    file,
    description,
  }))
}

/** Relative to the list, so that links also work behind a proxy with a prefix. */
const renderGuide = ({ file, title, description }: Guide) =>
  `<li><a href="guide/${file}"><strong>${escapeHtml(title)}</strong>${escapeHtml(capitalize(description))}</a></li>`

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
