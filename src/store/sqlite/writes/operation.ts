/** What a writing connection is asked to do, and how it says that it could not. */
import type { MaybePromise } from '../../maybe-promise.ts'
import type { Row, Statement } from '../../statement.ts'

/** Statements for the writing connection, executed in order up to the first that fails. */
export type Operation = Statement & { readonly rows: boolean }

/** Whether a statement only reads. What begins otherwise may write, and is taken to. */
export const onlyReads = ({ sql }: Statement): boolean => /^\s*select\b/i.test(sql)

/** Executes operations; `opens` says that the first of them opens the transaction. */
export type Execute = (
  operations: readonly Operation[],
  opens: boolean,
) => MaybePromise<readonly (readonly Row[])[]>

/** A failed operation: its place in the list, and whether the transaction survived it. */
export class OperationFailure extends Error {
  readonly failed: number
  readonly open: boolean

  constructor(failed: number, open: boolean, cause: unknown) {
    super('An operation failed', { cause })
    this.failed = failed
    this.open = open
  }
}
