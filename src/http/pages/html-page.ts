/** The frame of the pages that the server renders itself, and the style of the small ones. */
import { hash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { PAGE_HEADERS } from '../response/common-headers.ts'

export interface HtmlPage {
  readonly title: string
  readonly heading: string
  /** The HTML below the heading. */
  readonly content: string
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
form { display: grid; gap: 1rem; margin: 2rem 0 0; }
label { display: grid; gap: 0.25rem; }
input, button { font: inherit; padding: 0.625rem 0.75rem; border-radius: 0.5rem; border: 1px solid light-dark(#98a2b3, #667085); }
button { background: #1d4ed8; border-color: #1d4ed8; color: #fff; cursor: pointer; }
[role=alert] { opacity: 1; margin: 1rem 0 0; color: light-dark(#b42318, #fda29b); }
`

/** Nothing is loaded, no style but the page's own applies, and its forms send to this server only. */
const PAGE_POLICY = [
  "default-src 'none'",
  // The icon is empty, so that browsers do not ask for one.
  'img-src data:',
  `style-src 'sha256-${hash('sha256', STYLE, 'base64')}'`,
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

export const sendPage = (reply: FastifyReply, page: HtmlPage) =>
  reply
    .headers(PAGE_HEADERS)
    .header('content-security-policy', PAGE_POLICY)
    .type('text/html; charset=utf-8')
    .send(renderPage(page))

const renderPage = ({ title, heading, content }: HtmlPage) =>
  renderDocument(title, STYLE, `<main>\n<h1>${escapeHtml(heading)}</h1>\n${content}\n</main>`)

/** A whole document; `body` is HTML. */
export const renderDocument = (title: string, style: string, body: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
${body}
</body>
</html>
`

/** Characters that have a meaning in HTML. */
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export const escapeHtml = (text: string) => text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign)
