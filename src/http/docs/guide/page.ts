/** A guide as a page: its text, what is on the page, and links to the other guides. */
import { hash } from 'node:crypto'
import { escapeHtml, renderDocument } from '../../pages/html-page.ts'
import { renderMarkdown } from './markdown.ts'

export interface Guide {
  /** Its name in the URL; with `.md`, the name of its file. */
  readonly name: string
  readonly title: string
  readonly description: string
}

const STYLE = `
:root { color-scheme: light dark; --line: light-dark(#d0d5dd, #344054); --soft: light-dark(#f4f5f7, #1d2530);
  --link: light-dark(#1d4ed8, #93c5fd); }
* { box-sizing: border-box; }
body { font: 1rem/1.6 system-ui, sans-serif; margin: 0 auto; max-width: 88rem; padding: 0 1.5rem; }
.columns { display: grid; grid-template-columns: minmax(0, 1fr); gap: 2rem; }
main { min-width: 0; max-width: 52rem; padding: 2rem 0 6rem; order: -1; }
nav { font-size: 0.9rem; padding: 2rem 0; }
nav ul { list-style: none; margin: 0 0 1.5rem; padding: 0; }
nav a { display: block; padding: 0.15rem 0; color: inherit; text-decoration: none; }
nav a:hover, nav a[aria-current] { color: var(--link); }
nav strong { display: block; margin: 0 0 0.25rem; }
@media (min-width: 60rem) {
  .columns { grid-template-columns: 13rem minmax(0, 1fr); }
  main { order: 0; }
  nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; }
}
@media (min-width: 80rem) {
  .columns { grid-template-columns: 13rem minmax(0, 1fr) 15rem; }
}
h1, h2, h3 { line-height: 1.25; scroll-margin-top: 1rem; overflow-wrap: anywhere; }
h1 { font-size: 2rem; margin: 0 0 1rem; }
h2 { margin: 2.5rem 0 0.75rem; padding-top: 1rem; border-top: 1px solid var(--line); }
h3 { margin: 1.75rem 0 0.5rem; }
main a { color: var(--link); }
li { margin: 0.35rem 0; }
code { font: 0.875em/1.5 ui-monospace, monospace; background: var(--soft); padding: 0.1em 0.3em; border-radius: 0.25rem;
  overflow-wrap: anywhere; }
pre { background: var(--soft); border: 1px solid var(--line); border-radius: 0.5rem; padding: 0.875rem 1rem; overflow-x: auto; }
pre code { background: none; padding: 0; overflow-wrap: normal; }
.table { overflow-x: auto; }
table { border-collapse: collapse; margin: 1rem 0; min-width: 60%; }
th, td { border-bottom: 1px solid var(--line); padding: 0.5rem 1rem 0.5rem 0; text-align: left; vertical-align: top; }
img { max-width: 100%; height: auto; border-radius: 0.5rem; background: #fff; }
footer { display: flex; justify-content: space-between; gap: 1rem; margin-top: 3rem; border-top: 1px solid var(--line);
  padding-top: 1rem; }
`

/** Only pictures of the server are loaded; links work, and nothing else. */
export const GUIDE_POLICY = [
  "default-src 'none'",
  "img-src 'self' data:",
  `style-src 'sha256-${hash('sha256', STYLE, 'base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** All links are relative, so that they also work behind a proxy with a prefix. */
export function renderGuidePage(guide: Guide, markdown: string, guides: readonly Guide[]): string {
  const { headings, html } = renderMarkdown(markdown, pageOf)
  const sections = headings.filter(({ level }) => level === 2)
  const index = guides.indexOf(guide)
  const links = guides.map(
    ({ name, title }) =>
      `<li><a href="${name}"${name === guide.name ? ' aria-current="page"' : ''}>${escapeHtml(title)}</a></li>`,
  )
  const body = `<div class="columns">
<nav aria-label="Guides">
<a href="../guide"><strong>Octavo guide</strong></a>
<ul>
${links.join('\n')}
</ul>
<ul>
<li><a href="../../docs">API reference</a></li>
<li><a href="${guide.name}.md">This guide as Markdown</a></li>
</ul>
</nav>
<main>
${html}
<footer>
${neighbour(guides[index - 1], (title) => `← ${title}`)}
${neighbour(guides[index + 1], (title) => `${title} →`)}
</footer>
</main>
${sections.length > 1 ? contents(sections) : ''}
</div>`
  return renderDocument(`${guide.title} – Octavo guide`, STYLE, body)
}

const contents = (sections: ReturnType<typeof renderMarkdown>['headings']) => `<nav aria-label="On this page">
<strong>On this page</strong>
<ul>
${sections.map(({ id, title }) => `<li><a href="#${id}">${title}</a></li>`).join('\n')}
</ul>
</nav>`

const neighbour = (guide: Guide | undefined, labelOf: (title: string) => string) =>
  guide ? `<a href="${guide.name}">${escapeHtml(labelOf(guide.title))}</a>` : '<span></span>'

/** The page of another guide: `access.md#roles` is `access#roles`. */
const pageOf = (target: string) => target.replace(/^([\w-]+)\.md(?=#|$)/, '$1')
