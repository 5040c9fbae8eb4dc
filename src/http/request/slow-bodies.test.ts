/** The deadline of a body, with a clock of the test. */
import assert from 'node:assert/strict'
import { createServer, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { test } from 'node:test'
import { waitUntil } from '../../../test/support/wait-until.ts'
import { allowSlowBody, createSlowBodies } from './slow-bodies.ts'

const SECONDS = 10

test('a body that keeps the rate is read, one that stalls is ended at its deadline', async () => {
  const open = new Map<string, ServerResponse>()
  const ended: string[] = []
  let clock = 0
  const server = createServer((request, response) => {
    const name = request.url ?? ''
    open.set(name, response)
    if (name === '/upload') allowSlowBody(request)
    request.resume()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const slow = createSlowBodies(
    { [Symbol.iterator]: () => open.values() },
    SECONDS,
    (response) => {
      ended.push(response.req.url ?? '')
      response.destroy()
    },
    () => clock,
  )
  const send = (name: string) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write(`POST ${name} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n{`)
    return socket
  }
  const sockets = new Map(['/stalled', '/steady', '/upload'].map((name) => [name, send(name)]))
  await waitUntil(() => open.size === 3)
  slow.endOverdue()
  for (let second = 1; second <= 3 * SECONDS; second++) {
    clock = second * 1000
    const steady = open.get('/steady')?.req.socket
    const before = steady?.bytesRead ?? 0
    sockets.get('/steady')?.write('x'.repeat(1_024))
    await waitUntil(() => (steady?.bytesRead ?? 0) >= before + 1_024)
    slow.endOverdue()
    assert.deepEqual(ended, second <= SECONDS ? [] : ['/stalled'], `after ${second} seconds`)
  }
  assert.equal(slow.endOldest(), true)
  assert.deepEqual(ended, ['/stalled', '/steady'])
  assert.equal(slow.endOldest(), false, 'a permitted upload is never ended')
  for (const socket of sockets.values()) socket.destroy()
  server.close()
})
