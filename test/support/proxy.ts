/** A TCP proxy whose connections can be cut, stalled and restored, as a network failure or a restart would. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface CuttableProxy {
  readonly port: number
  /** Closes every connection and refuses new ones. */
  cut(): Promise<void>
  /** Accepts connections but forwards nothing from now on, as a cut cable would. */
  stall(): void
  restore(): Promise<void>
  close(): Promise<void>
}

/** Listens on a free port and forwards to the target; responses are delayed by `delay` milliseconds. */
export async function openProxy(
  target: { readonly host: string; readonly port: number },
  delay = 0,
): Promise<CuttableProxy> {
  const sockets = new Set<Socket>()
  let isStalled = false
  const server = createServer((incoming) => {
    const outgoing = connect(target.port, target.host)
    for (const [socket, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
      if (isStalled) socket.resume()
      else if (delay === 0 || socket === incoming) socket.pipe(other)
      else socket.on('data', (chunk) => setTimeout(() => other.write(chunk), delay))
    }
  })
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const isAddress = (address: unknown): address is AddressInfo =>
    typeof address === 'object' && address !== null
  await listen(0)
  const address = server.address()
  const port = isAddress(address) ? address.port : 0
  const cut = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      for (const socket of sockets) socket.destroy()
    })
  return {
    port,
    cut,
    stall() {
      isStalled = true
      for (const socket of sockets) socket.unpipe().resume()
    },
    async restore() {
      isStalled = false
      for (const socket of sockets) socket.destroy()
      if (!server.listening) await listen(port)
    },
    close: cut,
  }
}
