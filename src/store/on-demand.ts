/**
 * Creates a value when it is first needed, and shares it from then on. A failure is not shared: the next call tries
 * again, since its cause (memory, open files, a full disk) may be gone.
 */
export function onDemand<Value>(create: () => Promise<Value>): () => Promise<Value> {
  let created: Promise<Value> | null = null
  return () => {
    created ??= create().catch((failure: unknown) => {
      created = null
      throw failure
    })
    return created
  }
}
