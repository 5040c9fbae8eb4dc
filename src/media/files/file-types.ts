/** What the library knows about types of files: their extension and how they are served. */
export interface FileType {
  readonly mime: string
  /** With its dot. */
  readonly ext: string
}

/**
 * Types a browser may show in place, by extension. Everything that is not listed is served as a download of
 * `application/octet-stream`: HTML, SVG and XML can carry scripts, the rest is nothing a page would show.
 */
const INLINE_TYPES: Readonly<Record<string, string>> = {
  '.aac': 'audio/aac',
  '.apng': 'image/apng',
  '.avif': 'image/avif',
  '.bmp': 'image/bmp',
  '.csv': 'text/csv',
  '.flac': 'audio/flac',
  '.gif': 'image/gif',
  '.heic': 'image/heic',
  '.ico': 'image/x-icon',
  '.ics': 'text/calendar',
  '.jpg': 'image/jpeg',
  '.json': 'application/json',
  '.jxl': 'image/jxl',
  '.m4a': 'audio/x-m4a',
  '.m4v': 'video/x-m4v',
  '.md': 'text/markdown',
  '.mkv': 'video/matroska',
  '.mov': 'video/quicktime',
  '.mp3': 'audio/mpeg',
  '.mp4': 'video/mp4',
  '.oga': 'audio/ogg',
  '.ogg': 'audio/ogg',
  '.ogv': 'video/ogg',
  '.opus': 'audio/ogg',
  '.otf': 'font/otf',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.srt': 'application/x-subrip',
  '.tif': 'image/tiff',
  '.tsv': 'text/tab-separated-values',
  '.ttf': 'font/ttf',
  '.txt': 'text/plain',
  '.vcf': 'text/vcard',
  '.vtt': 'text/vtt',
  '.wav': 'audio/wav',
  '.webm': 'video/webm',
  '.webp': 'image/webp',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
  '.yaml': 'application/yaml',
}

/** Types that can run scripts in the page of a reader. A picture tag may still show an SVG that is a download. */
const ACTIVE_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.svg': 'image/svg+xml',
  '.xhtml': 'application/xhtml+xml',
  '.xml': 'application/xml',
}

/** The extensions under which harmless text keeps the type its sender declared. */
const TEXT_EXTENSIONS = new Set([
  '.csv',
  '.ics',
  '.json',
  '.md',
  '.srt',
  '.tsv',
  '.txt',
  '.vcf',
  '.vtt',
  '.yaml',
])

const ALIASES: Readonly<Record<string, string>> = { '.markdown': '.md', '.text': '.txt', '.yml': '.yaml' }

export const PLAIN_TEXT: FileType = { mime: 'text/plain', ext: '.txt' }
export const UNKNOWN: FileType = { mime: 'application/octet-stream', ext: '.bin' }
export const HTML: FileType = { mime: 'text/html', ext: '.html' }
export const XHTML: FileType = { mime: 'application/xhtml+xml', ext: '.xhtml' }
export const XML: FileType = { mime: 'application/xml', ext: '.xml' }
export const SVG: FileType = { mime: 'image/svg+xml', ext: '.svg' }

/** How a stored file is served: with which type, and whether as a download. */
export function servedAs(key: string): { mime: string; download: boolean; active: boolean } {
  const ext = key.slice(key.lastIndexOf('.'))
  const shown = INLINE_TYPES[ext]
  if (shown) return { mime: shown, download: false, active: false }
  const active = ACTIVE_TYPES[ext]
  if (active) return { mime: active, download: true, active: true }
  return { mime: UNKNOWN.mime, download: true, active: false }
}

/** The Content-Type header of a stored file. */
export function contentTypeOf(key: string): string {
  const { mime } = servedAs(key)
  return mime.startsWith('text/') ? `${mime}; charset=utf-8` : mime
}

/** The harmless text type that a file name claims, if it claims one. */
export function declaredText(name: string): FileType | null {
  const given = /\.[a-z0-9]+$/i.exec(name)?.[0].toLowerCase() ?? ''
  const ext = ALIASES[given] ?? given
  const mime = INLINE_TYPES[ext]
  return mime && TEXT_EXTENSIONS.has(ext) ? { mime, ext } : null
}

const DECODABLE = [
  'image/apng',
  'image/avif',
  'image/gif',
  'image/jpeg',
  'image/png',
  'image/tiff',
  'image/webp',
] as const
export type DecodableMime = (typeof DECODABLE)[number]

/** Whether it is a picture that can be decoded here, so that it gets formats. */
export const isDecodable = (mime: string): mime is DecodableMime => DECODABLE.some((one) => one === mime)
