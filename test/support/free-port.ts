/** Ports for servers that have to be started with one. */
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Operating systems give outgoing connections ports above these, so that none of them takes one meanwhile. */
const [LOWEST, END] = [10_000, 32_000]
const ATTEMPTS = 100

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = randomInt(LOWEST, END)
    if (await isFree(port)) return port
  }
  throw new Error(`Found no free port between ${LOWEST} and ${END}`)
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening')
  } catch {
    return false
  }
  await once(server.close(), 'close')
  return true
}
