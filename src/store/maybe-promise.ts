/**
 * What is there at once or comes soon. An engine inside this process has its answer ready when it is asked, and waiting
 * for it all the same, step by step, would cost more than a small read.
 */
export type MaybePromise<Value> = Value | Promise<Value>

/** Goes on with a value: at once when it is there. */
export const andThen = <Value, Result>(
  value: MaybePromise<Value>,
  next: (value: Value) => MaybePromise<Result>,
): MaybePromise<Result> => (value instanceof Promise ? value.then(next) : next(value))

/** A value that was true when it was asked for; when it had to be waited for and is outdated by then, another. */
export const unlessOutdated = <Value>(
  value: MaybePromise<Value>,
  isOutdated: () => boolean,
  another: () => MaybePromise<Value>,
): MaybePromise<Value> =>
  value instanceof Promise ? value.then((given) => (isOutdated() ? another() : given)) : value
