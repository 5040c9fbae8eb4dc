/** What a writing connection executes, and how it reports a failure. */
import type { MaybePromise } from '../../maybe-promise.ts'
import type { Row, Statement } from '../../statement.ts'

/** A statement for the writing connection; `rows` says whether its rows are returned. */
export type Operation = Statement & { readonly rows: boolean }

/** Whether a statement only reads. One that starts otherwise is taken to write. */
export const isReadOnly = ({ sql }: Statement): boolean => /^\s*select\b/i.test(sql)

/** Executes operations in order, up to the first that fails; `opens` says that the first opens the transaction. */
export type Execute = (
  operations: readonly Operation[],
  opens: boolean,
) => MaybePromise<readonly (readonly Row[])[]>

/** A failed operation: its index in the list, and whether the transaction is still open. */
export class OperationFailure extends Error {
  readonly failed: number
  readonly open: boolean

  constructor(failed: number, open: boolean, cause: unknown) {
    super('An operation failed', { cause })
    this.failed = failed
    this.open = open
  }
}
