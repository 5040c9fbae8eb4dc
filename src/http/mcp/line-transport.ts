/**
 * Messages of the protocol as lines of two streams. The transport of the SDK does the same with `JSON.parse`, which drops
 * digits of long numbers without a trace; this one remembers them, so that such a number is refused and not stored.
 */
import type { Readable, Writable } from 'node:stream'
import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from '@modelcontextprotocol/server'
import { parseJsonExactly } from '../../model/inexact-numbers.ts'

export interface LineStreams {
  readonly input: Readable
  readonly output: Writable
  /** Maximum length of a line in bytes; a longer one ends the connection. */
  readonly maxBytes: number
}

const NEWLINE = 10

/** The connection ends with the input, when the output cannot be written to, and when it is closed. */
export function createLineTransport({ input, output, maxBytes }: LineStreams): Transport {
  let pending: Buffer[] = []
  let pendingBytes = 0
  let isClosed = false

  const transport: Transport = {
    async start() {
      input.on('data', receive).once('end', close).once('error', fail)
      output.once('error', fail)
    },
    send: (message) =>
      new Promise((resolve, reject) => {
        output.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()))
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
    transport.onmessage?.(message)
  }

  function fail(error: Error): void {
    transport.onerror?.(error)
    close()
  }

  function close(): void {
    if (isClosed) return
    isClosed = true
    input.off('data', receive).pause()
    transport.onclose?.()
  }

  return transport
}
