/**
 * Decides which addresses deliveries may be sent to. Those that are not public would let a webhook reach services of the
 * network that the server is in.
 */
import { BlockList, isIP } from 'node:net'

/** IPv4 addresses that are not public: the special-purpose registry of the IANA. */
const PRIVATE_IPV4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.31.196.0/24', '192.52.193.0/24', '192.88.99.0/24'],
  ...['192.168.0.0/16', '192.175.48.0/24', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4'],
]

/** All public IPv6 addresses are in this network. Addresses that contain an IPv4 address, such as `::ffff:…`, are not. */
const GLOBAL_IPV6 = ['2000::/3']

/** Exceptions: protocol assignments and tunnels, which can also contain an IPv4 address, and documentation. */
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20', '2620:4f:8000::/48']

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', prefix] = network.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (prefix === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(prefix), family)
  }
  return list
}

const privateIpv4 = listOf(PRIVATE_IPV4)
const globalIpv6 = listOf(GLOBAL_IPV6)
const specialIpv6 = listOf(SPECIAL_IPV6)

export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !privateIpv4.check(address, 'ipv4')
    case 6:
      return globalIpv6.check(address, 'ipv6') && !specialIpv6.check(address, 'ipv6')
    default:
      return false
  }
}

export interface AddressRules {
  /** Whether deliveries to a host may be sent to this address, which its name resolved to. */
  isAllowed(host: string, address: string): boolean
}

/** `allow` lists host names, addresses and networks that may be used although they are not public. */
export function createAddressRules(allow: readonly string[]): AddressRules {
  const isNetwork = (entry: string) => isIP(entry.split('/')[0] ?? '') !== 0
  const networks = listOf(allow.filter(isNetwork))
  const names = new Set(allow.filter((entry) => !isNetwork(entry)).map((name) => name.toLowerCase()))
  return {
    isAllowed(host, address) {
      if (isPublicAddress(address) || names.has(host.toLowerCase())) return true
      const family = isIP(address)
      return family !== 0 && networks.check(address, family === 6 ? 'ipv6' : 'ipv4')
    },
  }
}
