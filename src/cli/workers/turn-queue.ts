/** Whose turn it is: one of many at a time, in the order in which they asked. Nothing of what they do with it. */

export interface Turns<Who> {
  /** Asks for a turn for somebody; `grant` is called when it has come. Asking again before that changes nothing. */
  ask(who: Who): void
  /** Takes a turn back; from anybody else it means nothing. */
  give(who: Who): void
  /** Somebody is gone, with whatever they had or waited for. */
  leave(who: Who): void
}

/** Turns for whoever asks. */
export function createTurns<Who>(grant: (who: Who) => void): Turns<Who> {
  const waiting = new Set<Who>()
  let holder: { readonly who: Who } | null = null

  function next() {
    if (holder) return
    const [who] = waiting
    if (who === undefined) return
    waiting.delete(who)
    holder = { who }
    grant(who)
  }

  function give(who: Who) {
    if (holder?.who !== who) return
    holder = null
    next()
  }

  return {
    ask(who) {
      waiting.add(who)
      next()
    },
    give,
    leave(who) {
      waiting.delete(who)
      give(who)
    },
  }
}
