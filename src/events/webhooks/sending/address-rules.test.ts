import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { createAddressRules, isPublicAddress } from './address-rules.ts'

describe('an address is public', () => {
  it('unless it is reserved, private, or contains an IPv4 address', () => {
    for (const address of [
      '8.8.8.8',
      '1.1.1.1',
      '172.32.0.1',
      '192.167.255.255',
      '2606:4700::1111',
      '2a00::1',
    ])
      assert.ok(isPublicAddress(address), address)
    for (const address of [
      ...['0.0.0.0', '10.1.2.3', '100.64.0.1', '127.0.0.1', '127.255.255.254', '169.254.169.254'],
      ...[
        '172.16.0.1',
        '172.31.255.255',
        '192.0.0.8',
        '192.168.1.1',
        '198.18.0.1',
        '224.0.0.1',
        '255.255.255.255',
      ],
      ...[
        '::',
        '::1',
        '::ffff:127.0.0.1',
        '::ffff:8.8.8.8',
        '::127.0.0.1',
        '64:ff9b::7f00:1',
        '64:ff9b:1::1',
      ],
      ...[
        'fe80::1',
        'fe80::1%eth0',
        'fc00::1',
        'fd12::1',
        'ff02::1',
        '2001::1',
        '2001:db8::1',
        '2002:7f00:1::',
      ],
      ...['', 'localhost', '127.1', '0x7f000001', '1.2.3', '::g'],
    ])
      assert.ok(!isPublicAddress(address), address)
  })

  it('however an IPv6 address is written', () => {
    const written = (address: string) => [
      address,
      address.toUpperCase(),
      address.replace('::', ':0:0:0:0:0:0:').replace(/^:|:$/g, ''),
    ]
    for (const address of ['fe80::1', 'fc00::1', '2002::1'])
      for (const form of written(address)) assert.ok(!isPublicAddress(form), form)
  })
})

describe('an address that is not public', () => {
  const rules = createAddressRules(['hooks.internal', '10.0.0.0/8', '127.0.0.1', 'fd00::/8'])

  it('is allowed by its network, its address, or the name of its host', () => {
    for (const [host, address] of [
      ...[['a.example', '10.200.0.1'] as const, ['127.0.0.1', '127.0.0.1'] as const],
      ...[['HOOKS.internal', '192.168.0.1'] as const, ['b.example', 'fd00::5'] as const],
    ])
      assert.ok(rules.isAllowed(host, address), address)
    for (const [host, address] of [
      ...[['a.example', '11.0.0.1'] as const, ['localhost', '127.0.0.2'] as const],
      ...[['other.internal', '192.168.0.1'] as const, ['b.example', '::ffff:192.168.0.1'] as const],
    ])
      assert.equal(rules.isAllowed(host, address), isPublicAddress(address), address)
  })

  it('is never allowed without an entry', () => {
    const none = createAddressRules([])
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (address) => {
        assert.equal(none.isAllowed('example.com', address), isPublicAddress(address))
      }),
    )
  })
})
