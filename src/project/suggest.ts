/** Suggests the closest match for a misspelt name. */

/** The Damerau-Levenshtein distance (optimal string alignment) of two strings. */
function distance(a: string, b: string) {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  let beforePrevious: number[] = []
  for (let i = 1; i <= a.length; i++) {
    const current = [i]
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swapped =
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
          ? (beforePrevious[j - 2] ?? 0) + 1
          : Number.POSITIVE_INFINITY
      current.push(Math.min(substitution, swapped, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1))
    }
    beforePrevious = previous
    previous = current
  }
  return previous[b.length] ?? 0
}

/** The candidate closest to a word, or null if none is close. */
export function nearest(word: string, candidates: Iterable<string>): string | null {
  const lower = word.toLowerCase()
  let best: { candidate: string; distance: number } | null = null
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) > 3) continue
    const d = distance(lower, candidate.toLowerCase())
    if (d <= Math.min(3, Math.max(1, word.length / 3)) && (!best || d < best.distance))
      best = { candidate, distance: d }
  }
  return best?.candidate ?? null
}

/** `; did you mean "x"?`, or an empty string if no candidate is close. */
export function didYouMean(word: string, candidates: Iterable<string>) {
  const candidate = nearest(word, candidates)
  return candidate === null ? '' : `; did you mean "${candidate}"?`
}
