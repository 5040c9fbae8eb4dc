/** Signs deliveries as the Standard Webhooks specification describes: https://www.standardwebhooks.com. Pure. */
import { createHmac, randomBytes } from 'node:crypto'
import type { SigningSecrets } from '../webhook.ts'

const PREFIX = 'whsec_'
const SECRET_BYTES = 32

export const newSecret = (): string => `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`

export const newMessageId = (): string => `msg_${randomBytes(18).toString('base64url')}`

/** The specification asks for 24 to 64 bytes. */
export function isSecret(secret: string): boolean {
  const encoded = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : ''
  const bytes = Buffer.from(encoded, 'base64')
  return bytes.toString('base64') === encoded && bytes.length >= 24 && bytes.length <= 64
}

export interface SignedHeaders {
  readonly 'webhook-id': string
  readonly 'webhook-timestamp': string
  readonly 'webhook-signature': string
}

/** The headers of one attempt. With two secrets there are two signatures, so that receivers can replace theirs in time. */
export function signedHeaders(
  messageId: string,
  body: string,
  secrets: SigningSecrets,
  now: number,
): SignedHeaders {
  const timestamp = String(Math.floor(now / 1000))
  const signatureWith = (secret: string) =>
    createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64'))
      .update(`${messageId}.${timestamp}.${body}`)
      .digest('base64')
  return {
    'webhook-id': messageId,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => `v1,${signatureWith(secret)}`).join(' '),
  }
}
