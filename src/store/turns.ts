/** Turns to write: one after the other in this process, each within a turn among processes when there are several. */

export interface Turn {
  /** Resolves when it is ours to write; refuses when the turn does not come. */
  take(): Promise<void>
  give(): void
}

/** Turns for everything in this process that writes, in the order in which they are asked for. */
export function createTurns(among: Turn | null): Turn {
  const waiting: (() => void)[] = []
  let taken = false

  function pass() {
    const next = waiting.shift()
    if (next) next()
    else taken = false
  }

  return {
    async take() {
      if (taken) await new Promise<void>((resolve) => waiting.push(resolve))
      taken = true
      try {
        await among?.take()
      } catch (error) {
        pass()
        throw error
      }
    },
    give() {
      among?.give()
      pass()
    },
  }
}
