/** The page at `/`, and the page that a browser gets at an unknown path: both link to what the server offers. */
import { escapeHtml, type HtmlPage } from './html-page.ts'

export interface PageLink {
  /** Relative to the root of the server. */
  readonly path: string
  readonly title: string
  readonly description: string
}

export interface FrontPage {
  readonly title: string
  readonly links: readonly PageLink[]
  /** The path that has no page; null for the front page itself. */
  readonly missing: string | null
}

/** `root` leads from the requested path to the root of the server, so that links also work behind a proxy with a prefix. */
export function frontPage({ title, links, missing }: FrontPage, root: string): HtmlPage {
  const text =
    missing === null ? 'This is an Octavo content server.' : `There is no page at ${missing} on this server.`
  return {
    title: missing === null ? title : `Page not found – ${title}`,
    heading: missing === null ? title : 'Page not found',
    content: `<p>${escapeHtml(text)}</p>
<ul>
${links.map((link) => renderLink(link, root)).join('\n')}
</ul>`,
  }
}

const renderLink = ({ path, title, description }: PageLink, root: string) =>
  `<li><a href="${escapeHtml(root + path)}"><strong>${escapeHtml(title)}</strong>${escapeHtml(description)}</a></li>`
