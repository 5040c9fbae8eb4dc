/**
 * A value, or a promise of one. SQLite returns its rows synchronously, and awaiting them at every step would take longer
 * than a small read.
 */
export type MaybePromise<Value> = Value | Promise<Value>

/** Calls `next` with the value: immediately if it is not a promise. */
export const andThen = <Value, Result>(
  value: MaybePromise<Value>,
  next: (value: Value) => MaybePromise<Result>,
): MaybePromise<Result> => (value instanceof Promise ? value.then(next) : next(value))

/** The value, unless it had to be awaited and is outdated by then; in that case another one. */
export const unlessOutdated = <Value>(
  value: MaybePromise<Value>,
  isOutdated: () => boolean,
  another: () => MaybePromise<Value>,
): MaybePromise<Value> =>
  value instanceof Promise ? value.then((given) => (isOutdated() ? another() : given)) : value
