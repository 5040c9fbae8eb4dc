/** How long a statement takes, from its earlier runs. */
export interface ExpectedTime {
  /** The microseconds that it is expected to take, and took the last time; both are 0 before the first time. */
  expectedTime: number
  lastTime: number
}

/** Of the last two times the shorter one counts: a busy machine makes any read slow once. */
export function noteTime(statement: ExpectedTime, time: number): void {
  statement.expectedTime += (Math.min(time, statement.lastTime) - statement.expectedTime) / 4
  statement.lastTime = time
}

/** A read that was stopped is slow, however fast the earlier ones were. */
export function noteSlow(statement: ExpectedTime, time: number): void {
  statement.expectedTime = Math.max(time, statement.expectedTime)
  statement.lastTime = statement.expectedTime
}
