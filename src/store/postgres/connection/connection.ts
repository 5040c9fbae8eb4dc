/** Pools of connections to PostgreSQL. */
import { Socket } from 'node:net'
import pg from 'pg'
import { connectionLost } from '../failures.ts'

/** A pool in which a broken connection fails the queries sent on it and nothing else. */
export function createPool(options: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool(options)
  // The pool itself removes an idle connection that breaks.
  pool.on('error', () => {})
  // Without a listener, a connection that breaks while the pool hands it out would end the process.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** Runs `work` on one connection; a connection that breaks meanwhile leaves the pool. */
export async function withClient<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect()
  let isBroken = false
  const noteBroken = () => {
    isBroken = true
  }
  client.on('error', noteBroken)
  try {
    return await work(client)
  } catch (error) {
    if (connectionLost(error)) isBroken = true
    throw error
  } finally {
    // A rollback that has failed leaves the transaction open for whoever gets the connection next.
    if (isInTransaction(client)) isBroken = true
    client.off('error', noteBroken)
    client.release(isBroken)
  }
}

/** As the server said after the last statement that has ended; null before the first one. */
const isInTransaction = (client: pg.PoolClient) => !['I', null].includes(client.getTransactionStatus())

/**
 * Sends the statements of one callback together, because each packet wakes up the server. It does not wait for the other
 * callbacks of the turn, during which the server can already work: updates are 10 % faster than with one packet for each turn.
 */
class PacketSocket extends Socket {
  #isHeld = false

  // The driver corks the socket for each statement.
  override cork(): void {
    super.cork()
    if (this.#isHeld) return
    this.#isHeld = true
    super.cork()
    process.nextTick(() => {
      this.#isHeld = false
      super.uncork()
    })
  }
}

/** Sockets that can be destroyed together, when a server has disappeared and its queries would wait forever. */
export function createSockets() {
  const open = new Set<Socket>()
  return {
    create(): Socket {
      const socket = new PacketSocket()
      open.add(socket)
      socket.once('close', () => open.delete(socket))
      return socket
    },
    destroyAll() {
      for (const socket of open) socket.destroy()
    },
  }
}

/** The milliseconds that queries in progress have when a pool ends. */
const END_TIMEOUT = 5_000

/** Ends a pool; `destroyAll` ends the connections whose server does not respond. */
export async function endPool(pool: pg.Pool, destroyAll: () => void): Promise<void> {
  const timer = setTimeout(destroyAll, END_TIMEOUT)
  await pool.end()
  clearTimeout(timer)
}
