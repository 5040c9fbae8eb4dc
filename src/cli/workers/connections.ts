/**
 * Connections on their way to a worker. The leading process accepts them and keeps each until the worker has confirmed
 * it; if the worker dies before, Node would keep it open for ever and nobody would answer. Such connections are closed
 * here, so that the caller knows and tries again.
 */
import type { Worker } from 'node:cluster'

interface Closable {
  close(): void
}

/** Closes what was handed to this worker and not confirmed when it dies. */
export function closeUnconfirmed(worker: Worker): void {
  const handed = new Map<unknown, Closable>()
  const { send } = worker.process
  Object.assign(worker.process, {
    send(...args: readonly unknown[]) {
      const [message, handle] = args
      if (fieldOf(message, 'act') === 'newconn' && isClosable(handle))
        handed.set(fieldOf(message, 'seq'), handle)
      return Reflect.apply(send, worker.process, args)
    },
  })
  worker.process.on('internalMessage', (message: unknown) => void handed.delete(fieldOf(message, 'ack')))
  const close = () => {
    for (const handle of handed.values()) handle.close()
    handed.clear()
  }
  worker.process.on('disconnect', close)
  worker.process.on('exit', close)
}

const fieldOf = (message: unknown, name: string): unknown =>
  typeof message === 'object' && message !== null ? Reflect.get(message, name) : undefined

const isClosable = (handle: unknown): handle is Closable =>
  typeof handle === 'object' && handle !== null && 'close' in handle && typeof handle.close === 'function'
