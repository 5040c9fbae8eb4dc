/**
 * How the text of a JSON file is laid out, so that a change of its content can be written in the same hand: which
 * objects and lists stand on one line, how far lines are indented, and what surrounds the content of braces.
 */

type Path = readonly (string | number)[]

export interface JsonStyle {
  /** White space of one level. */
  readonly indent: string
  readonly newline: string
  /** What stands between a brace and what it holds on one line. */
  readonly padding: string
  readonly endsWithNewline: boolean
  /** Whether the object or list at a path stands on one line; undefined when the file has none there. */
  isInline(path: Path): boolean | undefined
}

const PLAIN: JsonStyle = {
  indent: '  ',
  newline: '\n',
  padding: ' ',
  endsWithNewline: true,
  isInline: () => undefined,
}

/** The style of a text that is JSON; that of new files when there is none. */
export function styleOf(text: string | null): JsonStyle {
  if (text === null) return PLAIN
  const inline = placesIn(text)
  return {
    indent: /^([ \t]+)\S/m.exec(text)?.[1] ?? PLAIN.indent,
    newline: /\r\n/.test(text) ? '\r\n' : '\n',
    padding: /\{(\s*)"[^\n]*\}/.exec(text)?.[1] === '' ? '' : ' ',
    endsWithNewline: /\n\s*$/.test(text),
    isInline: (path) => inline.get(JSON.stringify(path)),
  }
}

/** The objects and lists of a text by path, and whether each stands on one line. */
function placesIn(text: string): Map<string, boolean> {
  const places = new Map<string, boolean>()
  const open: { readonly start: number; readonly path: Path; readonly isList: boolean; count: number }[] = []
  let key = ''
  for (const token of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\],]/g)) {
    const [word, colon] = token
    const around = open.at(-1)
    if (colon !== undefined) key = JSON.parse(word.slice(0, -colon.length))
    else if (word === '{' || word === '[') {
      const path = around ? [...around.path, around.isList ? around.count : key] : []
      open.push({ start: token.index, path, isList: word === '[', count: 0 })
    } else if ((word === '}' || word === ']') && around) {
      open.pop()
      places.set(JSON.stringify(around.path), !text.slice(around.start, token.index).includes('\n'))
    } else if (word === ',' && around) around.count += 1
  }
  return places
}

/** JSON in a style. What the file did not have is laid out like what stands beside it. */
export function styledJson(value: unknown, style: JsonStyle): string {
  const { indent, newline, padding } = style

  function print(one: unknown, path: Path, isInline: boolean, depth: number): string {
    if (typeof one !== 'object' || one === null) return JSON.stringify(one)
    const entries: [string | number, unknown][] = Array.isArray(one)
      ? [...one.entries()]
      : Object.entries(one)
    const [left, right] = Array.isArray(one) ? ['[', ']'] : ['{', '}']
    if (entries.length === 0) return left + right
    const beside = entries.flatMap(([key]) => style.isInline([...path, key]) ?? [])
    const parts = entries.map(([key, inner]) => {
      const at = [...path, key]
      const inOne = isInline || (style.isInline(at) ?? (beside.length > 0 && beside.every(Boolean)))
      const text = print(inner, at, inOne, depth + 1)
      return Array.isArray(one) ? text : `${JSON.stringify(key)}: ${text}`
    })
    if (isInline) {
      const space = Array.isArray(one) ? '' : padding
      return `${left}${space}${parts.join(', ')}${space}${right}`
    }
    const line = newline + indent.repeat(depth + 1)
    return `${left}${line}${parts.join(`,${line}`)}${newline}${indent.repeat(depth)}${right}`
  }

  return print(value, [], style.isInline([]) ?? false, 0) + (style.endsWithNewline ? newline : '')
}
