/** Waits until something is so, and tells how many milliseconds that took; fails when it is not within its patience. */
export async function until(isSo: () => boolean | Promise<boolean>, patience = 5_000): Promise<number> {
  const start = performance.now()
  while (!(await isSo())) {
    if (performance.now() - start > patience) throw new Error(`Not so after ${patience} ms: ${isSo}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return performance.now() - start
}
