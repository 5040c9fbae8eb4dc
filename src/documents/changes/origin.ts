/** The request that a write came with. */
export interface Origin {
  readonly requestId: string
  readonly address: string | null
  readonly userAgent: string | null
}
