/** Waits until something is so; fails when it is not within its patience, which is long enough for a machine under load. */
export async function until(isSo: () => boolean | Promise<boolean>, patience = 60_000): Promise<void> {
  const start = performance.now()
  while (!(await isSo())) {
    if (performance.now() - start > patience) throw new Error(`Not so after ${patience} ms: ${isSo}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
