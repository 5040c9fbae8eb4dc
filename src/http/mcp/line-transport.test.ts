import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { inexactSource } from '../../model/inexact-numbers.ts'
import { isObject } from '../../project/values.ts'
import { createLineTransport } from './line-transport.ts'

function open(maxBytes = 1000) {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const transport = createLineTransport({ input, output, maxBytes })
  const seen = { messages: [] as unknown[], errors: [] as string[], closed: 0 }
  transport.onmessage = (message) => seen.messages.push(message)
  transport.onerror = ({ message }) => seen.errors.push(message)
  transport.onclose = () => {
    seen.closed += 1
  }
  return { input, output, transport, seen }
}

const ping = (id: number, params = '{}') =>
  `{"jsonrpc":"2.0","id":${id},"method":"ping","params":${params}}\n`

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('messages arrive whole, however the stream divides them', async () => {
  const { input, transport, seen } = open()
  await transport.start()
  const bytes = Buffer.from(`${ping(1, '{"text":"größer 😀"}')}\n${ping(2)}${ping(3)}`)
  for (const byte of bytes) input.write(Buffer.of(byte))
  input.write(Buffer.from(ping(4) + ping(5)))
  await settled()
  assert.deepEqual(
    seen.messages.map((message) => isObject(message) && message.id),
    [1, 2, 3, 4, 5],
  )
  assert.match(JSON.stringify(seen.messages[0]), /größer 😀/)
})

test('a number that loses digits is remembered', async () => {
  const { input, transport, seen } = open()
  await transport.start()
  input.write(Buffer.from(ping(1, '{"arguments":{"data":{"words":9007199254740993}}}')))
  await settled()
  const [message] = seen.messages
  const data = ['params', 'arguments', 'data'].reduce<unknown>(
    (value, key) => (isObject(value) ? value[key] : undefined),
    message,
  )
  assert.ok(isObject(data))
  assert.equal(inexactSource(data, 'words'), '9007199254740993')
})

test('a line that is not a message is reported, and the next one is read', async () => {
  const { input, transport, seen } = open()
  await transport.start()
  input.write(Buffer.from(`hello\n{"a":1}\n${ping(1)}`))
  await settled()
  assert.equal(seen.errors.length, 2)
  assert.equal(seen.messages.length, 1)
  assert.equal(seen.closed, 0)
})

test('a line that is too long ends the connection, and so does the end of the input', async () => {
  const long = open(100)
  await long.transport.start()
  long.input.write(Buffer.alloc(101, 'x'))
  await settled()
  assert.match(long.seen.errors.join(), /longer than 100 bytes/)
  assert.equal(long.seen.closed, 1)
  const short = open()
  await short.transport.start()
  short.input.end()
  await settled()
  assert.equal(short.seen.closed, 1)
})

test('each message that is sent is one line', async () => {
  const { output, transport } = open()
  await transport.send({ jsonrpc: '2.0', method: 'notifications/test', params: { text: 'two\nlines' } })
  assert.match(String(output.read()), /^[^\n]+\n$/)
})

test('the end of the input waits for the responses to the requests before it', async () => {
  const { input, output, transport, seen } = open()
  await transport.start()
  input.write(Buffer.from(ping(1) + ping(2)))
  input.end(Buffer.from(ping(3).trim()))
  await settled()
  assert.equal(seen.messages.length, 3)
  for (const id of [1, 3]) await transport.send({ jsonrpc: '2.0', id, result: {} })
  assert.equal(seen.closed, 0)
  await transport.send({ jsonrpc: '2.0', id: 2, result: {} })
  assert.equal(seen.closed, 1)
  assert.equal(String(output.read()).trim().split('\n').length, 3)
})

test('the end of the input does not wait for requests that are cancelled, or that last', async () => {
  const { input, transport, seen } = open()
  await transport.start()
  input.write(Buffer.from(ping(1)))
  input.write(Buffer.from('{"jsonrpc":"2.0","id":2,"method":"subscriptions/listen","params":{}}\n'))
  const cancelled = '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}\n'
  input.end(Buffer.from(cancelled))
  await settled()
  assert.equal(seen.closed, 1)
})

test('an input that breaks off ends the connection at once', async () => {
  const { input, transport, seen } = open()
  await transport.start()
  input.write(Buffer.from(ping(1)))
  await settled()
  input.destroy()
  await settled()
  assert.equal(seen.closed, 1)
})
