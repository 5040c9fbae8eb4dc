/** One stream of server-sent events. What the client does not read is bounded. */
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

export interface EventStream {
  readonly isOpen: boolean
  /** Whether the client has left too much unread. */
  readonly isBehind: boolean
  /** Resolves when the client has read enough, or with false if it reads nothing for a time. */
  catchesUp(timeoutMs: number): Promise<boolean>
  /** Sends an event with JSON. */
  send(seq: number, name: string, json: string): void
  /** Tells the client how far it is without an event, which also keeps the connection open. */
  sendPosition(seq: number): void
  /** Ends the stream; a client that does not read the end is disconnected. */
  end(): void
}

/** How long a browser waits before it connects again, in milliseconds. */
const RECONNECT_MS = 2_000
const END_TIMEOUT_MS = 5_000
/** The longest pause between checks of what a client has read. */
const MAX_CHECK_MS = 100

/** Starts the response with the headers, names and values alternating. */
export function openStream(
  raw: ServerResponse,
  headers: readonly string[],
  maxWaitingBytes: number,
): EventStream {
  const own = {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    // Proxies that buffer responses would hold events back.
    'x-accel-buffering': 'no',
    connection: 'keep-alive',
  }
  raw.writeHead(200, [...headers, ...Object.entries(own).flat()])
  raw.socket?.setNoDelay(true)
  raw.socket?.setTimeout(0)
  raw.on('error', () => {})
  raw.write(`retry: ${RECONNECT_MS}\n\n`)
  const isOpen = () => !raw.writableEnded && !raw.destroyed
  const isBehind = () => raw.writableLength > maxWaitingBytes
  return {
    get isOpen() {
      return isOpen()
    },
    get isBehind() {
      return isBehind()
    },
    async catchesUp(timeoutMs) {
      let least = raw.writableLength
      let lastProgress = Date.now()
      for (let pause = 1; isOpen() && isBehind(); pause = Math.min(pause * 2, MAX_CHECK_MS)) {
        if (Date.now() - lastProgress > timeoutMs) return false
        await sleep(pause, undefined, { ref: false })
        if (raw.writableLength >= least) continue
        least = raw.writableLength
        lastProgress = Date.now()
      }
      return true
    },
    send(seq, name, json) {
      if (isOpen()) raw.write(`id: ${seq}\nevent: ${name}\ndata: ${json}\n\n`)
    },
    sendPosition(seq) {
      if (isOpen()) raw.write(`id: ${seq}\n\n`)
    },
    end() {
      if (!isOpen()) return
      raw.end()
      void sleep(END_TIMEOUT_MS, undefined, { ref: false }).then(() => raw.destroy())
    },
  }
}
