/** File types: their extensions, and how they are served. */
export interface FileType {
  readonly mime: string
  /** With the dot. */
  readonly ext: string
}

/** Types that browsers may display, by extension. All others are served as a download of `application/octet-stream`. */
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

/** Types that can run scripts, served as downloads. An `img` element still displays such an SVG. */
const ACTIVE_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.svg': 'image/svg+xml',
  '.xhtml': 'application/xhtml+xml',
  '.xml': 'application/xml',
}

/** Text keeps its declared type if it has one of these extensions. */
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

/** Whether it is an image that the server can decode, and so derive formats from. */
export const isDecodable = (mime: string): mime is DecodableMime => DECODABLE.some((one) => one === mime)
