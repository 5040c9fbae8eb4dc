/** Polls until a condition holds; throws after `timeout` milliseconds, by default long enough for a machine under load. */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  timeout = 60_000,
): Promise<void> {
  const start = performance.now()
  while (!(await condition())) {
    if (performance.now() - start > timeout) throw new Error(`Not true after ${timeout} ms: ${condition}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
