/**
 * Closes connections that were handed to a worker and not acknowledged when it dies. Node would otherwise keep them
 * open in the primary process without serving them; closed, the client sees the failure and can retry.
 */
import type { Worker } from 'node:cluster'

interface Closable {
  close(): void
}

export function closeUnacknowledgedConnections(worker: Worker): void {
  const unacknowledged = new Map<unknown, Closable>()
  const { send } = worker.process
  Object.assign(worker.process, {
    send(...args: readonly unknown[]) {
      const [message, handle] = args
      if (fieldOf(message, 'act') === 'newconn' && isClosable(handle))
        unacknowledged.set(fieldOf(message, 'seq'), handle)
      return Reflect.apply(send, worker.process, args)
    },
  })
  worker.process.on(
    'internalMessage',
    (message: unknown) => void unacknowledged.delete(fieldOf(message, 'ack')),
  )
  const close = () => {
    for (const handle of unacknowledged.values()) handle.close()
    unacknowledged.clear()
  }
  worker.process.on('disconnect', close)
  worker.process.on('exit', close)
}

const fieldOf = (message: unknown, name: string): unknown =>
  typeof message === 'object' && message !== null ? Reflect.get(message, name) : undefined

const isClosable = (handle: unknown): handle is Closable =>
  typeof handle === 'object' && handle !== null && 'close' in handle && typeof handle.close === 'function'
