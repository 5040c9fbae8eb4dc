/** Executes the operations of writes on the main thread. */
import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Row } from '../../statement.ts'
import { createExecutor, type Executed } from '../connection.ts'
import { isBusy, translate } from '../failures.ts'
import { type Execute, type Operation, OperationFailure } from './operation.ts'

/** Milliseconds between two attempts to open a transaction while another program writes. */
const RETRY_DELAY = 2
/** The milliseconds that a plan may run in a write, such as the one for its response. Nothing else runs meanwhile. */
const MAX_READ_TIME = 1_000

type Rows = readonly (readonly Row[])[]

/** If another program keeps a transaction from opening, it is retried for `waitTimeout` ms without blocking the thread. */
export function createMainThreadExecutor(database: DatabaseSync, waitTimeout: number): Execute {
  const execute = createExecutor(database, MAX_READ_TIME)
  /** A transaction that is still being opened: the operations that follow it wait for it. */
  let opening: Promise<Rows> | null = null

  async function retryOpening(operations: readonly Operation[]): Promise<Rows> {
    const end = performance.now() + waitTimeout
    for (;;) {
      await sleep(RETRY_DELAY)
      const executed = execute(operations, true)
      if (!isBlocked(executed) || performance.now() >= end) return rowsOf(executed)
    }
  }

  return (operations, opens) => {
    if (opening) return opening.then(() => rowsOf(execute(operations, opens)))
    const executed = execute(operations, opens)
    if (!opens || !isBlocked(executed)) return rowsOf(executed)
    opening = retryOpening(operations)
    const clear = () => {
      opening = null
    }
    opening.then(clear, clear)
    return opening
  }
}

/** Whether another program has kept the transaction from opening. */
const isBlocked = (executed: Executed): boolean =>
  'failure' in executed && executed.failed === 0 && isBusy(executed.failure)

function rowsOf(executed: Executed): Rows {
  if ('rows' in executed) return executed.rows
  throw new OperationFailure(executed.failed, executed.open, translate(executed.failure))
}
