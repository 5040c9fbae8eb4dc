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

test('forwarded addresses count only from trusted proxies, from the last one back', async () => {
  const addresses: string[] = []
  const readers = [
    createAddressOf([]),
    createAddressOf(['loopback']),
    createAddressOf(['loopback', '203.0.113.7']),
    createAddressOf(['10.0.0.1']),
  ]
  const server = createServer((request, response) => {
    addresses.push(...readers.map((read) => read(request)))
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  const headers = { 'x-forwarded-for': '198.51.100.1, 203.0.113.7' }
  await fetch(`http://127.0.0.1:${port}/`, { headers })
  server.close()
  server.closeAllConnections()
  assert.deepEqual(addresses, ['127.0.0.1', '203.0.113.7', '198.51.100.1', '127.0.0.1'])
})
