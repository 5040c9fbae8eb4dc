/** Sends to a receiver under names that the test resolves. */
import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { type Receiver, startReceiver } from '../../../../test/events/receiver.ts'
import { createAddressRules } from './address-rules.ts'
import { createSender, type ResolvedAddress, type Sender } from './send.ts'

describe('a delivery', () => {
  let receiver: Receiver
  const senders: Sender[] = []
  before(async () => {
    receiver = await startReceiver()
  })
  after(async () => {
    for (const sender of senders) sender.close()
    await receiver.close()
  })

  const addresses = (...list: readonly string[]): ResolvedAddress[] =>
    list.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))

  function senderWith(allow: readonly string[], ...resolved: readonly (readonly ResolvedAddress[])[]) {
    let asked = 0
    const sender = createSender({
      rules: createAddressRules(allow),
      timeoutMs: 500,
      resolve: async () => resolved[Math.min(asked++, resolved.length - 1)] ?? [],
    })
    senders.push(sender)
    const send = (url: string) => sender.send({ url, headers: {}, body: '{}' })
    return { send, asked: () => asked, sender }
  }

  const port = () => new URL(receiver.url).port
  const urlOf = (host: string, path: string) => `http://${host}:${port()}${path}`

  it('to a name that resolves to addresses that are not public is not sent', async () => {
    for (const address of [
      '127.0.0.1',
      '::1',
      '::ffff:127.0.0.1',
      '169.254.169.254',
      '10.0.0.1',
      '0.0.0.0',
    ]) {
      const { send } = senderWith([], addresses(address))
      const outcome = await send(urlOf('hooks.example', '/private'))
      assert.match(outcome?.error ?? '', /hooks\.example has no public address/)
      assert.equal(outcome?.status, null)
    }
    assert.deepEqual(receiver.at('/private'), [])
  })

  it('connects to the address that was checked, whatever the name resolves to the next time', async () => {
    // 192.0.2.1 is allowed, and nothing listens there; the second time, the name leads to the receiver.
    const { send, asked } = senderWith(['192.0.2.1'], addresses('192.0.2.1'), addresses('127.0.0.1'))
    const first = await send(urlOf('rebound.example', '/rebound'))
    assert.notEqual(first?.error, null)
    assert.equal(asked(), 1)
    const second = await send(urlOf('rebound.example', '/rebound'))
    assert.match(second?.error ?? '', /no public address/)
    assert.equal(asked(), 2)
    assert.deepEqual(receiver.at('/rebound'), [])
  })

  it('skips the private addresses of a name that also has others', async () => {
    const { send } = senderWith(['127.0.0.1'], addresses('10.0.0.1', '127.0.0.1'))
    assert.equal((await send(urlOf('mixed.example', '/mixed')))?.status, 204)
  })

  it('to a name that is allowed is sent wherever it resolves to', async () => {
    const { send } = senderWith(['intranet'], addresses('127.0.0.1'))
    assert.equal((await send(urlOf('intranet', '/allowed')))?.status, 204)
    assert.match((await send(urlOf('other', '/allowed')))?.error ?? '', /no public address/)
    assert.equal(receiver.at('/allowed').length, 1)
  })

  it('to an address in any notation is checked', async () => {
    const { send, asked } = senderWith([])
    for (const host of ['127.0.0.1', '2130706433', '0x7f.1', '0177.0.0.1', '[::1]', '[::ffff:7f00:1]', '0'])
      assert.match((await send(urlOf(host, '/literal')))?.error ?? '', /no public address/, host)
    assert.equal(asked(), 0)
    assert.deepEqual(receiver.at('/literal'), [])
  })

  it('fails if the name cannot be resolved, or nothing listens', async () => {
    const { send } = senderWith(['127.0.0.1'], [])
    assert.match((await send(urlOf('nowhere.example', '/')))?.error ?? '', /no public address/)
    const closed = senderWith(['127.0.0.1'])
    assert.match((await closed.send('http://127.0.0.1:1/'))?.error ?? '', /ECONNREFUSED/)
  })

  it('that waits for a receiver is aborted when the sender is closed', async () => {
    receiver.responses.set('/hanging', () => {})
    const { send, sender } = senderWith(['127.0.0.1'])
    const sent = send(urlOf('127.0.0.1', '/hanging'))
    await receiver.until('/hanging', 1)
    sender.close()
    assert.equal(await sent, null)
  })

  describe('to a receiver that', () => {
    /** Sends to a receiver that responds with these bytes and leaves the connection open. */
    async function responseTo(bytes: string) {
      const server = createServer((socket) => {
        socket.on('error', () => {}).once('data', () => socket.write(bytes))
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const address = server.address()
      const listening = typeof address === 'object' && address !== null ? address.port : 0
      try {
        return await senderWith(['127.0.0.1']).send(`http://127.0.0.1:${listening}/`)
      } finally {
        server.close()
      }
    }

    it('switches protocols fails', { timeout: 10_000 }, async () => {
      const outcome = await responseTo(
        'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
      )
      assert.equal(outcome?.status, null)
      assert.match(outcome?.error ?? '', /closed without a response/)
    })

    it('does not end its response is judged by the status', async () => {
      for (const [status, isSuccess] of [
        [200, true],
        [500, false],
      ] as const) {
        const outcome = await responseTo(`HTTP/1.1 ${status} X\r\nContent-Length: 100\r\n\r\nbeginning`)
        assert.deepEqual(
          [outcome?.status, outcome?.response, outcome?.error === null],
          [status, 'beginning', isSuccess],
        )
      }
    })
  })

  it('is sent again at once if an idle connection was closed', async () => {
    const { send } = senderWith(['127.0.0.1'])
    let isFirst = true
    receiver.responses.set('/reset', (response) => {
      if (!isFirst && response.socket?.bytesWritten) return void response.socket.resetAndDestroy()
      isFirst = false
      response.writeHead(204).end()
    })
    assert.equal((await send(urlOf('127.0.0.1', '/reset')))?.status, 204)
    assert.equal((await send(urlOf('127.0.0.1', '/reset')))?.status, 204)
  })
})
