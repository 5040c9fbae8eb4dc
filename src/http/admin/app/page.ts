/** The page of the admin app: its HTML for one request, and the policy it is sent with. */
import { randomBytes } from 'node:crypto'
import type { Storage } from '../../../media/storage/storage.ts'

export const createNonce = () => randomBytes(16).toString('base64')

/**
 * Fills in the placeholders of the built page. All URLs are relative to the request, so that the app also works behind a
 * proxy that adds a prefix to the path. `path` is the path of the request.
 */
export function fillPage(template: string, path: string, appPath: string, nonce: string): string {
  const depth = path.split('/').length - 2
  const root = depth === 0 ? './' : '../'.repeat(depth)
  return template
    .replaceAll('__BASE__', `${root}${appPath.slice(1)}/`)
    .replaceAll('__ROOT__', root)
    .replaceAll('__NONCE__', nonce)
}

/** Only scripts and styles of the app itself; styles that its components generate carry the nonce. */
export function pagePolicy(nonce: string, mediaOrigin: string | null): string {
  const media = ["'self'", 'data:', 'blob:', mediaOrigin ?? []].flat().join(' ')
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src ${media}`,
    `media-src ${media}`,
    "font-src 'self'",
    "connect-src 'self'",
    // The preview of a document is a page of the project's site.
    'frame-src http: https:',
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** The origin that browsers load stored files from; null when it is this server. */
export async function mediaOrigin({ sign, urlOf }: Pick<Storage, 'sign' | 'urlOf'>): Promise<string | null> {
  const url = sign ? await sign(SAMPLE_KEY) : urlOf(SAMPLE_KEY)
  return URL.canParse(url) ? new URL(url).origin : null
}

const SAMPLE_KEY = 'sample.webp'
