/**
 * What is made when it is first asked for, and shared from then on. A failure is not shared: whoever asks after it has
 * the making tried again, since what was in the way (memory, open files, a full disk) may be gone.
 */
export function onDemand<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | null = null
  return () => {
    made ??= make().catch((failure: unknown) => {
      made = null
      throw failure
    })
    return made
  }
}
