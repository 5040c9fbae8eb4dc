/**
 * Extracts what a guide shows. A fenced block marked `http`, or `sh` with one curl command, is a request; the `json` block
 * after it is the expected response. A `json file=PATH` or `ts file=PATH` block is a file of a project.
 */

export interface Request {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  /** Parts of a form, as `name=value` or `name=@file`. */
  readonly form?: readonly string[]
}

export type Step =
  | { readonly kind: 'file'; readonly line: number; readonly path: string; readonly text: string }
  | {
      readonly kind: 'request'
      readonly line: number
      readonly request: Request
      /** Name for the documentId of the response: later requests refer to it as `{name}`. */
      readonly as: string | null
      /** Absent if the guide does not show the response. */
      readonly response: unknown
    }

interface Block {
  readonly line: number
  readonly language: string
  readonly marks: ReadonlyMap<string, string>
  readonly text: string
}

/** The steps of a guide, in order. */
export function stepsOf(markdown: string): Step[] {
  const blocks = blocksOf(markdown)
  return blocks.flatMap((block, index): Step[] => {
    const path = block.marks.get('file')
    if (path) return [{ kind: 'file', line: block.line, path, text: block.text }]
    const request = requestOf(block)
    if (!request) return []
    const next = blocks[index + 1]
    const response = next?.language === 'json' && !next.marks.has('file') ? JSON.parse(next.text) : undefined
    return [{ kind: 'request', line: block.line, request, as: block.marks.get('as') ?? null, response }]
  })
}

function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = []
  const lines = markdown.split('\n')
  for (let start = 0; start < lines.length; start++) {
    const fence = /^```(\w+) ?(.*)$/.exec(lines[start] ?? '')
    if (!fence) continue
    const end = lines.indexOf('```', start)
    const marks = (fence[2] ?? '').split(' ').map((mark): [string, string] => {
      const [name = '', value = ''] = mark.split('=')
      return [name, value]
    })
    const text = lines.slice(start + 1, end).join('\n')
    blocks.push({ line: start + 1, language: fence[1] ?? '', marks: new Map(marks), text })
    start = end
  }
  return blocks
}

function requestOf(block: Block): Request | null {
  if (block.language === 'http') return fromHttp(block.text)
  if (block.language === 'sh' && block.text.startsWith('curl ')) return fromCurl(block.text)
  return null
}

/** A request line, whose URL may continue in indented lines, then headers, an empty line and the body. */
function fromHttp(text: string): Request {
  const [head = '', body = null] = text.split(/\n\n(.*)/s)
  const [request = '', ...headers] = head.replaceAll(/\n\s+/g, '').split('\n')
  const [method = '', url = ''] = request.split(' ')
  return { method, url, headers: headersOf(headers), body }
}

/** The request of a curl command with the options -X, -H, -d and -F. */
export function fromCurl(text: string): Request {
  const words = [...text.replaceAll('\\\n', ' ').matchAll(/'([^']*)'|(\S+)/g)].map(([, a, b]) => a ?? b ?? '')
  const after = (option: string) => words.flatMap((word, i) => (words[i - 1] === option ? [word] : []))
  const [body = null] = after('-d')
  const url = words.find((word) => word.startsWith('http')) ?? ''
  return {
    method: after('-X')[0] ?? (body === null ? 'GET' : 'POST'),
    url: url.replace(/^https?:\/\/[^/]+/, ''),
    headers: headersOf(after('-H')),
    body,
    form: after('-F'),
  }
}

const headersOf = (lines: readonly string[]) =>
  Object.fromEntries(lines.map((line) => line.split(/:\s*(.*)/s).slice(0, 2)))
