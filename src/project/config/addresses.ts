/** Settings that are addresses: URLs, origins, hosts and networks. */
import { isIP } from 'node:net'
import { type Setting, scalar, strings } from './setting.ts'

/** Whether a text is the URL of something on the web; `example.com:443` is a URL too, but of the scheme `example.com`. */
export const isWebUrl = (text: string): boolean => /^https?:\/\//i.test(text) && URL.canParse(text)

const url = (schemes: string, isUrl: (text: string) => boolean): Setting<string> =>
  scalar(
    `must be a URL that starts with ${schemes}`,
    (value) => typeof value === 'string' && isUrl(value),
    (variable) => variable,
  )

export const webUrl = url('https:// or http://', isWebUrl)

export const smtpUrl = url('smtp:// or smtps://', (text) => /^smtps?:\/\//i.test(text) && URL.canParse(text))

/** A list that reports the entries that are invalid. */
const stringsThat = (
  isValid: (entry: string) => boolean,
  message: (entry: string) => string,
): Setting<readonly string[]> => ({
  ...strings,
  check(value, path, report) {
    strings.check(value, path, report)
    for (const entry of Array.isArray(value) ? value : [])
      if (typeof entry === 'string' && !isValid(entry)) report(path, message(entry))
  },
})

/** Whether a text is an IP address, or a network such as 10.0.0.0/8. */
function isNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/')
  // An IPv4 address that is written as an IPv6 address is used as the former.
  const family = isIP(address.replace(/^::ffff:(?=[\d.]+$)/i, ''))
  if (family === 0 || rest.length > 0) return false
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 6 ? 128 : 32))
}

export const hosts = stringsThat(
  (entry) => isNetwork(entry) || /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i.test(entry),
  (entry) => `"${entry}" is not a host name, an IP address or a network such as 10.0.0.0/8`,
)

const NAMED_PROXIES = ['loopback', 'linklocal', 'uniquelocal']

/** A network of all addresses would trust every client. */
export const proxies = stringsThat(
  (entry) => NAMED_PROXIES.includes(entry) || (isNetwork(entry) && !/\/0+$/.test(entry)),
  (entry) =>
    `"${entry}" is not an IP address, a network such as 10.0.0.0/8, or one of ${NAMED_PROXIES.join(', ')}`,
)

/** As browsers send it: an app may have a scheme of its own, and a sandboxed page has the origin `null`. */
export function isOrigin(text: string): boolean {
  if (/^https?:/i.test(text)) return URL.canParse(text) && new URL(text).origin === text
  return text === 'null' || /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#*]+$/.test(text)
}

export const origins = stringsThat(
  isOrigin,
  (entry) => `"${entry}" is not an origin such as https://example.com: in lower case, without a path or *`,
)
