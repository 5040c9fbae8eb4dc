/** One-time codes by time (RFC 6238: HMAC-SHA-1, 30 seconds, six digits), as authenticator apps compute them. Pure. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const STEP_SECONDS = 30
const DIGITS = 6
const SECRET_BYTES = 20
/** Codes of the step before and after are accepted, because clocks differ. */
const TOLERATED_STEPS = [0, -1, 1]

/** A new secret, in Base32 as authenticator apps take it. */
export const newTotpSecret = () => toBase32(randomBytes(SECRET_BYTES))

/** The code of a step. */
export function totpCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac('sha1', fromBase32(secret)).update(counter).digest()
  const offset = (digest.at(-1) ?? 0) & 0xf
  const number = digest.readUInt32BE(offset) & 0x7fffffff
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0')
}

export const totpStep = (now: number) => Math.floor(now / 1000 / STEP_SECONDS)

/** The step whose code this is, if it is later than `after`, so that no code works twice; null for a wrong code. */
export function matchingStep(secret: string, code: string, now: number, after: number): number | null {
  const given = Buffer.from(code)
  const found = TOLERATED_STEPS.map((offset) => totpStep(now) + offset).find((step) => {
    const expected = Buffer.from(totpCode(secret, step))
    return step > after && given.length === expected.length && timingSafeEqual(given, expected)
  })
  return found ?? null
}

/** The address that authenticator apps read from a QR code. */
export function totpUri(secret: string, account: string, issuer: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

function toBase32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const groups = bits.match(/.{1,5}/g) ?? []
  return groups.map((group) => ALPHABET[Number.parseInt(group.padEnd(5, '0'), 2)]).join('')
}

function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const bytes = bits.match(/.{8}/g) ?? []
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)))
}
