/** Finds the differences between two JSON values. */
import { isObject } from '../../project/values.ts'

/** A line for each difference, with the path of the value. Keys in `ignored` are left out wherever they occur. */
export function differencesBetween(
  one: unknown,
  other: unknown,
  ignored: ReadonlySet<string>,
  path = '',
): string[] {
  if (Array.isArray(one) && Array.isArray(other)) {
    const lengths =
      one.length === other.length ? [] : [`${path || '(body)'}: ${one.length} items, ${other.length} items`]
    const shared = one.slice(0, other.length)
    return [
      ...lengths,
      ...shared.flatMap((item, index) =>
        differencesBetween(item, other[index], ignored, `${path}[${index}]`),
      ),
    ]
  }
  if (isObject(one) && isObject(other)) {
    const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])].filter((key) => !ignored.has(key))
    return keys.flatMap((key) => {
      const at = path === '' ? key : `${path}.${key}`
      if (!Object.hasOwn(one, key)) return [`${at}: missing, ${shown(other[key])}`]
      if (!Object.hasOwn(other, key)) return [`${at}: ${shown(one[key])}, missing`]
      return differencesBetween(one[key], other[key], ignored, at)
    })
  }
  return Object.is(one, other) ? [] : [`${path || '(body)'}: ${shown(one)}, ${shown(other)}`]
}

const MAX_SHOWN_LENGTH = 60

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length <= MAX_SHOWN_LENGTH ? text : `${text.slice(0, MAX_SHOWN_LENGTH)}…`
}
