/** A way to a server that can be cut and mended: what a network or a restart does to connections. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface CuttableRoute {
  readonly port: number
  /** Breaks every connection and refuses new ones. */
  cut(): Promise<void>
  /** Swallows everything from now on and takes new connections that lead nowhere, as a cut cable would. */
  stall(): void
  mend(): Promise<void>
  close(): Promise<void>
}

/** Listens on a port of its own and passes everything on, answers after so many milliseconds. */
export async function openProxy(
  target: { readonly host: string; readonly port: number },
  delay = 0,
): Promise<CuttableRoute> {
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
    async mend() {
      isStalled = false
      for (const socket of sockets) socket.destroy()
      if (!server.listening) await listen(port)
    },
    close: cut,
  }
}
