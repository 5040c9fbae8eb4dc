/** The limits of one read, and the caller that it runs for. */
export interface ReadLimits {
  /** The milliseconds that its statement may run. */
  readonly milliseconds: number
  /** The bytes that its rows may have. */
  readonly bytes: number
  /** Identifies the caller, so that no caller uses more than a fair share of the database. */
  caller(): string
  /** Whether nobody waits for the response any more. */
  isDisconnected(): boolean
}

/** For reads of the server itself; only the time limit of the store applies. */
export const NO_LIMITS: ReadLimits = {
  milliseconds: Infinity,
  bytes: Infinity,
  caller: () => '',
  isDisconnected: () => false,
}
