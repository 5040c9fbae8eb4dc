/** The address of the client that sent a request: of the connection, or as trusted proxies forward it. */
import type { IncomingMessage } from 'node:http'
import { BlockList, isIPv6 } from 'node:net'

/** Names that `server.trustedProxies` may contain instead of addresses. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.1/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4')

/** Sockets that accept both families report IPv4 addresses in this form. */
const withoutMapping = (address: string) =>
  address.includes(':') ? address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '') : address

/** Some proxies forward the port too, with which each connection would have limits of its own. */
const withoutPort = (forwarded: string) =>
  forwarded.replace(/^\[([^\]]*)\](?::\d+)?$/, '$1').replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')

/** Whether an address is one of the proxies, which are addresses, networks and names. */
export function proxyTest(proxies: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const proxy of proxies.flatMap((name) => NAMED[name] ?? [name])) {
    const [address = '', bits] = proxy.split('/')
    const plain = withoutMapping(address)
    if (bits === undefined) list.addAddress(plain, familyOf(plain))
    else list.addSubnet(plain, Number(bits), familyOf(plain))
  }
  return (address) => list.check(withoutMapping(address), familyOf(withoutMapping(address)))
}

/** Each proxy appends the address of its peer to `X-Forwarded-For`: the last one that is not a trusted proxy counts. */
export function createAddressOf(proxies: readonly string[]): (request: IncomingMessage) => string {
  if (proxies.length === 0) return ({ socket }) => withoutMapping(socket.remoteAddress ?? '')
  const isProxy = proxyTest(proxies)
  return ({ socket, headers }) => {
    const forwarded = String(headers['x-forwarded-for'] ?? '').split(',')
    let address = socket.remoteAddress ?? ''
    for (const next of forwarded.reverse().map((one) => withoutPort(one.trim()))) {
      if (next === '' || !isProxy(address)) break
      address = next
    }
    return withoutMapping(address)
  }
}
