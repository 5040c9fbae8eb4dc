/**
 * Detects the type of a file from its bytes: signatures by the library `file-type`, text and markup here, which it does not
 * cover. The declared name only selects between harmless text types.
 */
import { open } from 'node:fs/promises'
import { declaredText, type FileType, HTML, PLAIN_TEXT, SVG, UNKNOWN, XHTML, XML } from './file-types.ts'

/** How much of a file is inspected to tell text from binary content. */
const SAMPLE_BYTES = 65_536

/** Formats with a signature that may be plain text. */
const TEXT_SIGNATURES = new Set(['pdf', 'rtf', 'ps', 'eps', 'ics', 'vcf', 'vtt', 'pgp', 'reg', 'stl'])

/** Old office formats share one container; the extension tells them apart. */
const OFFICE: Readonly<Record<string, string>> = {
  '.doc': 'application/msword',
  '.msg': 'application/vnd.ms-outlook',
  '.ppt': 'application/vnd.ms-powerpoint',
  '.xls': 'application/vnd.ms-excel',
}

/** `name` is the file name that the client sent. */
export async function detectType(path: string, name: string): Promise<FileType> {
  const head = await readHead(path, SAMPLE_BYTES)
  const text = asText(head)
  // Loaded with the first upload.
  const { fileTypeFromFile } = await import('file-type')
  const signed = await fileTypeFromFile(path)
  // Some signatures are two or three letters that may also start a text: text is never an image or a program.
  if (text !== null && !(signed && TEXT_SIGNATURES.has(signed.ext))) return textType(text, name)
  if (!signed || signed.ext === 'xml') return UNKNOWN
  if (signed.ext === 'cfb') return officeType(name)
  return { mime: signed.mime.split(';')[0] ?? signed.mime, ext: `.${signed.ext}` }
}

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

/** Null when the sample contains bytes that do not occur in text. */
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

// biome-ignore lint/suspicious/noControlCharactersInRegex: it detects control characters
const CONTROL = /[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f]/

const cleanText = (text: string) => (CONTROL.test(text) ? null : text)

function officeType(name: string): FileType {
  const ext = /\.[a-z]+$/i.exec(name)?.[0].toLowerCase() ?? ''
  const mime = OFFICE[ext]
  return mime ? { mime, ext } : UNKNOWN
}

/** HTML, SVG or XML when the text starts like one, else what the name declares. */
function textType(text: string, name: string): FileType {
  return markupType(text) ?? declaredText(name) ?? (beginsWithTag(text) ? HTML : PLAIN_TEXT)
}

const beginsWithTag = (text: string) => /^\s*<[a-z!/?]/i.test(text)

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
    // Ends at a comment that is not closed, so that no part of the text is searched twice.
    const preamble = /^(?:<\?[^>]*>|<!--[\s\S]*?-->|<!(?!--)[^>[]*(?:\[[\s\S]*?\]\s*)?>)\s*/.exec(rest)
    if (!preamble) break
    rest = rest.slice(preamble[0].length)
  }
  const root = /^<(?:[\w-]+:)?([a-z][\w-]*)/i.exec(rest)?.[1]?.toLowerCase()
  if (root === 'svg') return SVG
  if (root === 'html') return xml ? XHTML : HTML
  if (xml) return XML
  return root && PAGE_TAGS.has(root) ? HTML : null
}

/** Elements that start an HTML page but not a Markdown text. */
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
