/** What changed in a text, word by word. */

export interface TextPart {
  readonly kind: 'same' | 'removed' | 'added'
  readonly text: string
}

/** Longer texts are compared as a whole, so that a page never waits. */
const MAX_WORDS = 1_500

/** The parts of both texts in reading order. Words and the spaces between them count alike. */
export function diffWords(before: string, after: string): TextPart[] {
  const [old, now] = [wordsOf(before), wordsOf(after)]
  if (old.length > MAX_WORDS || now.length > MAX_WORDS)
    return merged([
      { kind: 'removed', text: before },
      { kind: 'added', text: after },
    ])
  const lengths = commonLengths(old, now)
  const parts: TextPart[] = []
  let [left, right] = [0, 0]
  while (left < old.length || right < now.length) {
    const [word, other] = [old[left], now[right]]
    if (word !== undefined && word === other) {
      parts.push({ kind: 'same', text: word })
      left++
      right++
    } else if (
      word !== undefined &&
      (other === undefined || at(lengths, left + 1, right) >= at(lengths, left, right + 1))
    ) {
      parts.push({ kind: 'removed', text: word })
      left++
    } else if (other !== undefined) {
      parts.push({ kind: 'added', text: other })
      right++
    }
  }
  return merged(parts)
}

const wordsOf = (text: string) => text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? []

const at = (lengths: readonly Uint16Array[], left: number, right: number) => lengths[left]?.[right] ?? 0

/** The length of the longest common sequence of words, from each pair of positions to the end. */
function commonLengths(old: readonly string[], now: readonly string[]): readonly Uint16Array[] {
  const lengths = Array.from({ length: old.length + 1 }, () => new Uint16Array(now.length + 1))
  for (let left = old.length - 1; left >= 0; left--) {
    const row = lengths[left]
    for (let right = now.length - 1; row && right >= 0; right--)
      row[right] =
        old[left] === now[right]
          ? at(lengths, left + 1, right + 1) + 1
          : Math.max(at(lengths, left + 1, right), at(lengths, left, right + 1))
  }
  return lengths
}

/** Neighbours of one kind as one part; removed words come before the added ones. */
function merged(parts: readonly TextPart[]): TextPart[] {
  const result: TextPart[] = []
  for (const part of parts) {
    const last = result.at(-1)
    if (part.text === '') continue
    if (last?.kind === part.kind) result[result.length - 1] = { ...last, text: last.text + part.text }
    else result.push(part)
  }
  return result
}
