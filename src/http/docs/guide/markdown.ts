/** Renders the guides. They are files of the package, so their HTML is trusted. */
import { Marked, Renderer } from 'marked'

export interface Heading {
  readonly level: number
  readonly id: string
  /** HTML. */
  readonly title: string
}

export interface RenderedMarkdown {
  readonly headings: readonly Heading[]
  readonly html: string
}

/** `hrefOf` maps the target of a link. */
export function renderMarkdown(markdown: string, hrefOf: (target: string) => string): RenderedMarkdown {
  const headings: Heading[] = []
  const marked = new Marked({
    walkTokens(token) {
      if (token.type === 'link') token.href = hrefOf(token.href)
    },
    renderer: {
      heading({ depth: level, text, tokens }) {
        const heading = { level, id: anchorOf(text), title: this.parser.parseInline(tokens) }
        headings.push(heading)
        return `<h${level} id="${heading.id}">${heading.title}</h${level}>\n`
      },
      // Wide ones scroll, with the keyboard too.
      code(token) {
        return Renderer.prototype.code.call(this, token).replace('<pre>', '<pre tabindex="0">')
      },
      table(token) {
        return `<div class="table" tabindex="0">${Renderer.prototype.table.call(this, token)}</div>\n`
      },
    },
  })
  return { html: marked.parse(markdown, { async: false }), headings }
}

/** As GitHub generates it, so that links work there too. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
