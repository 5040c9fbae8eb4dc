/**
 * Messages of the protocol as lines of two streams. The transport of the SDK does the same with `JSON.parse`, which drops
 * digits of long numbers without a trace; this one remembers them, so that such a number is refused and not stored.
 */
import type { Readable, Writable } from 'node:stream'
import {
  type JSONRPCMessage,
  type JSONRPCNotification,
  type JSONRPCRequest,
  parseJSONRPCMessage,
  type RequestId,
  type Transport,
} from '@modelcontextprotocol/server'
import { parseJsonExactly } from '../../model/inexact-numbers.ts'

export interface LineStreams {
  readonly input: Readable
  readonly output: Writable
  /** Maximum length of a line in bytes; a longer one ends the connection. */
  readonly maxBytes: number
  /** Called once, when the connection has ended. */
  readonly onEnd?: () => void
}

const NEWLINE = 10

/** How long the end of the input waits for the responses to requests before it. */
const MAX_WAIT_MS = 60_000

/** This request gets no response while its subscription lasts. */
const LISTEN = 'subscriptions/listen'

/**
 * The connection ends with the input, once the requests before it have a response. It also ends when the output cannot be written
 * to, or when it is closed.
 */
export function createLineTransport({ input, output, maxBytes, onEnd }: LineStreams): Transport {
  let pending: Buffer[] = []
  let pendingBytes = 0
  let isClosed = false
  let hasEnded = false
  let deadline: NodeJS.Timeout | undefined
  const unanswered = new Set<RequestId>()

  const transport: Transport = {
    async start() {
      input.on('data', receive).once('end', end).once('close', onInputClose).once('error', fail)
      output.once('error', fail)
    },
    send: (message) =>
      new Promise((resolve, reject) => {
        output.write(`${JSON.stringify(message)}\n`, (error) => {
          if (error) return reject(error)
          resolve()
          if (!('method' in message) && message.id !== undefined) settle(message.id)
        })
      }),
    close: async () => close(),
  }

  function receive(chunk: Buffer): void {
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      if (!collect(chunk.subarray(start, end))) return
      deliver(Buffer.concat(pending).toString())
      pending = []
      pendingBytes = 0
      start = end + 1
    }
    collect(chunk.subarray(start))
  }

  /** Returns whether the line is short enough so far. */
  function collect(part: Buffer): boolean {
    pending.push(part)
    pendingBytes += part.length
    if (pendingBytes <= maxBytes) return true
    fail(new Error(`A message is longer than ${maxBytes} bytes (mcp.bodyLimit)`))
    return false
  }

  function deliver(line: string): void {
    if (line.trim() === '' || isClosed) return
    let message: JSONRPCMessage
    try {
      message = parseJSONRPCMessage(parseJsonExactly(line))
    } catch {
      transport.onerror?.(new Error('A line is not a JSON-RPC message'))
      return
    }
    if ('method' in message) expectAnswer(message)
    transport.onmessage?.(message)
  }

  function expectAnswer(message: JSONRPCRequest | JSONRPCNotification): void {
    if ('id' in message) {
      if (message.method !== LISTEN) unanswered.add(message.id)
    } else if (message.method === 'notifications/cancelled') {
      const id = message.params?.requestId
      if (typeof id === 'string' || typeof id === 'number') settle(id)
    }
  }

  function settle(id: RequestId): void {
    unanswered.delete(id)
    if (hasEnded && unanswered.size === 0) close()
  }

  function end(): void {
    // The last line may lack its newline.
    deliver(Buffer.concat(pending).toString())
    hasEnded = true
    if (unanswered.size === 0) close()
    else deadline = setTimeout(close, MAX_WAIT_MS)
  }

  /** An input that is destroyed has no end. */
  function onInputClose(): void {
    if (!hasEnded) close()
  }

  function fail(error: Error): void {
    transport.onerror?.(error)
    close()
  }

  function close(): void {
    if (isClosed) return
    isClosed = true
    clearTimeout(deadline)
    input.off('data', receive).pause()
    transport.onclose?.()
    onEnd?.()
  }

  return transport
}
