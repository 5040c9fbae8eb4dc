/** The address that limits count for a request. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { createAddressOf, proxyTest } from './client-address.ts'

test('proxies are addresses, networks and names', () => {
  const isProxy = proxyTest(['10.0.0.1', '192.168.7.0/24', 'loopback', 'fd00::1'])
  for (const address of ['10.0.0.1', '::ffff:10.0.0.1', '192.168.7.9', '127.0.0.5', '::1', 'fd00::1'])
    assert.equal(isProxy(address), true, address)
  for (const address of ['10.0.0.2', '192.168.8.9', 'fd00::2', 'unknown', ''])
    assert.equal(isProxy(address), false, address)
})

/** The address of a request with this `X-Forwarded-For`, for each list of proxies. */
async function addressesOf(forwarded: string, ...proxies: readonly (readonly string[])[]): Promise<string[]> {
  const readers = proxies.map(createAddressOf)
  const addresses: string[] = []
  const server = createServer((request, response) => {
    addresses.push(...readers.map((read) => read(request)))
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  await fetch(`http://127.0.0.1:${port}/`, { headers: { 'x-forwarded-for': forwarded } })
  server.close()
  server.closeAllConnections()
  return addresses
}

test('forwarded addresses count only from trusted proxies, from the last one back', async () => {
  const addresses = await addressesOf(
    '198.51.100.1, 203.0.113.7',
    ...[[], ['loopback'], ['loopback', '203.0.113.7'], ['10.0.0.1']],
  )
  assert.deepEqual(addresses, ['127.0.0.1', '203.0.113.7', '198.51.100.1', '127.0.0.1'])
})

test('the port that some proxies forward is no part of the address', async () => {
  const proxies = ['loopback', '203.0.113.7']
  for (const [forwarded, address] of [
    ['198.51.100.1:50123', '198.51.100.1'],
    ['198.51.100.1:50123, 203.0.113.7:443', '198.51.100.1'],
    ['[2001:db8::1]:50123', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['2001:db8::1', '2001:db8::1'],
    ['::ffff:198.51.100.1', '198.51.100.1'],
  ] as const)
    assert.deepEqual(await addressesOf(forwarded, proxies), [address], forwarded)
})
