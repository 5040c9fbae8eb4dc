/** The page at `/`, and the page that a browser gets where nothing is: both link to what there is. */
import { hash } from 'node:crypto'

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

const STYLE = `
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; margin: 0; min-height: 100vh; display: grid; place-items: center; }
main { width: min(32rem, 100% - 3rem); padding: 3rem 0; }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 0.5rem; overflow-wrap: anywhere; }
p { margin: 0; opacity: 0.75; overflow-wrap: anywhere; }
ul { list-style: none; margin: 2rem 0 0; padding: 0; display: grid; gap: 0.75rem; }
a { display: block; padding: 0.875rem 1.125rem; border: 1px solid light-dark(#d0d5dd, #475467);
  border-radius: 0.5rem; color: inherit; text-decoration: none; }
a:hover, a:focus-visible { border-color: light-dark(#1d4ed8, #93c5fd); outline: 1px solid light-dark(#1d4ed8, #93c5fd); }
strong { display: block; }
`

/** Nothing is loaded, and no style but the page's own applies. */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', STYLE, 'base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** `root` leads from the requested path to the root of the server, so that links also work behind a proxy with a prefix. */
export function renderPage({ title, links, missing }: FrontPage, root: string): string {
  const heading = missing === null ? title : 'Page not found'
  const text =
    missing === null ? 'This is an Octavo content server.' : `There is no page at ${missing} on this server.`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(missing === null ? title : `Page not found – ${title}`)}</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(heading)}</h1>
<p>${escapeHtml(text)}</p>
<ul>
${links.map((link) => renderLink(link, root)).join('\n')}
</ul>
</main>
</body>
</html>
`
}

const renderLink = ({ path, title, description }: PageLink, root: string) =>
  `<li><a href="${escapeHtml(root + path)}"><strong>${escapeHtml(title)}</strong>${escapeHtml(description)}</a></li>`

/** Characters that have a meaning in HTML. */
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export const escapeHtml = (text: string) => text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign)
