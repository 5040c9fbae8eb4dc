/** What corresponds on the two servers: names that each of them gives by itself, in the order in which they were met. */

/** The two names of one thing. */
type Both = readonly [string, string]

/** What a reference stands for when nothing of its kind was met yet. */
const NOTHING: Readonly<Record<string, string>> = { doc: 'aaaaaaaaaaaaaaaaaaaaaaaa', etag: '"0"' }

export class Memory {
  readonly #pools = new Map<string, Both[]>()
  readonly #names = new Map<string, string>()
  readonly #former = new Map<string, string>()

  /** Something that requests may refer to. */
  note(pool: string, first: string, second: string): void {
    const known = this.#pools.get(pool) ?? []
    if (known.some(([one]) => one === first)) return
    // The newest matter most, but some of the old stay: they may be gone by now, and that is worth asking too.
    if (known.length >= 60) known.splice(20, 1)
    known.push([first, second])
    this.#pools.set(pool, known)
  }

  forget(pool: string): void {
    this.#pools.delete(pool)
  }

  find(pool: string, index: number, side: 0 | 1): string {
    const known = this.#pools.get(pool) ?? []
    return known[index % known.length]?.[side] ?? NOTHING[pool.split(' ', 1)[0] ?? ''] ?? '999999'
  }

  /** Whether two names can mean the same thing; when neither was met before they do from now on. */
  correspond(kind: string, first: string, second: string): boolean {
    const [ours, theirs] = [`${kind} ${first}`, `${kind} ${second}`]
    const known = this.#names.get(ours)
    const back = this.#former.get(theirs)
    if (known === undefined && back === undefined) {
      this.#names.set(ours, second)
      this.#former.set(theirs, first)
      return true
    }
    return known === second && back === first
  }

  /** Whether two texts are the same but for names of which each corresponds to the other at its place. */
  agree(first: string, second: string): boolean {
    const [ours, theirs] = [first.split(NAME), second.split(NAME)]
    return (
      ours.length === theirs.length &&
      ours.every((part, index) => {
        const other = theirs[index] ?? ''
        return part === other || (index % 2 === 1 && this.correspond('name', part, other))
      })
    )
  }
}

/** Names that servers make up: documentIds, and the ends of the names of files. */
const NAME = /(\b[a-z0-9]{24}\b|_[0-9a-f]{16})/
