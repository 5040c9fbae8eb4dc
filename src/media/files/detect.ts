/** Finds out what a file is from its bytes. What the sender declares counts only between harmless kinds of text. */
import { open } from 'node:fs/promises'
import { declaredText, type FileType, HTML, PLAIN_TEXT, SVG, UNKNOWN, XHTML, XML } from './file-types.ts'

/** How much of a file is looked at to tell text from other content. */
const SAMPLE_BYTES = 65_536

/** Formats with a signature that may consist of nothing but text. */
const TEXT_SIGNATURES = new Set(['pdf', 'rtf', 'ps', 'eps', 'ics', 'vcf', 'vtt', 'pgp', 'reg', 'stl'])

/** What old office documents, which share one container, may be by their declared extension. */
const OFFICE: Readonly<Record<string, string>> = {
  '.doc': 'application/msword',
  '.msg': 'application/vnd.ms-outlook',
  '.ppt': 'application/vnd.ms-powerpoint',
  '.xls': 'application/vnd.ms-excel',
}

/** The type of the file at `path`, which its sender calls `name`. */
export async function detectType(path: string, name: string): Promise<FileType> {
  const head = await readHead(path, SAMPLE_BYTES)
  const text = asText(head)
  // Loaded with the first upload: most of what is served never needs it.
  const { fileTypeFromFile } = await import('file-type')
  const signed = await fileTypeFromFile(path)
  // Signatures of two or three letters also begin ordinary sentences: what is all text is no picture or program.
  if (text !== null && !(signed && TEXT_SIGNATURES.has(signed.ext))) return textType(text, name)
  if (!signed || signed.ext === 'xml') return UNKNOWN
  if (signed.ext === 'cfb') return officeType(name)
  return { mime: signed.mime.split(';')[0] ?? signed.mime, ext: `.${signed.ext}` }
}

/** The first bytes of a file. */
export async function readHead(path: string, length: number): Promise<Uint8Array> {
  const file = await open(path)
  try {
    const buffer = Buffer.alloc(length)
    const { bytesRead } = await file.read(buffer, 0, length, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** The sample as text, or null when it holds bytes that no text has. */
function asText(head: Uint8Array): string | null {
  const [first, second] = head
  if (first === 0xff && second === 0xfe) return cleanText(new TextDecoder('utf-16le').decode(head))
  if (first === 0xfe && second === 0xff) return cleanText(new TextDecoder('utf-16be').decode(head))
  try {
    return cleanText(new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true }))
  } catch {
    return cleanText(new TextDecoder('windows-1252').decode(head))
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const CONTROL = /[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f]/

const cleanText = (text: string) => (CONTROL.test(text) ? null : text)

function officeType(name: string): FileType {
  const ext = /\.[a-z]+$/i.exec(name)?.[0].toLowerCase() ?? ''
  const mime = OFFICE[ext]
  return mime ? { mime, ext } : UNKNOWN
}

/** A file of text: a page, a drawing or XML when it begins like one, else what its name claims. */
function textType(text: string, name: string): FileType {
  return markupType(text) ?? declaredText(name) ?? (beginsWithTag(text) ? HTML : PLAIN_TEXT)
}

const beginsWithTag = (text: string) => /^\s*<[a-z!/?]/i.test(text)

/** The active type of text that begins as a whole document of markup. */
function markupType(text: string): FileType | null {
  let rest = text.trimStart()
  const xml = /^<\?xml\b/i.test(rest)
  for (;;) {
    const doctype = /^<!doctype\s+([\w:-]+)/i.exec(rest)
    if (doctype) {
      const root = doctype[1]?.toLowerCase()
      if (root === 'html') return xml ? XHTML : HTML
      if (root === 'svg') return SVG
    }
    const preamble = /^(?:<\?[^>]*>|<!--[\s\S]*?-->|<![^>[]*(?:\[[\s\S]*?\]\s*)?>)\s*/.exec(rest)
    if (!preamble) break
    rest = rest.slice(preamble[0].length)
  }
  const root = /^<(?:[\w-]+:)?([a-z][\w-]*)/i.exec(rest)?.[1]?.toLowerCase()
  if (root === 'svg') return SVG
  if (root === 'html') return xml ? XHTML : HTML
  if (xml) return XML
  return root && PAGE_TAGS.has(root) ? HTML : null
}

/** Elements that begin a page, unlike those that also begin a Markdown text. */
const PAGE_TAGS = new Set([
  'head',
  'body',
  'script',
  'iframe',
  'style',
  'meta',
  'link',
  'title',
  'object',
  'embed',
])
