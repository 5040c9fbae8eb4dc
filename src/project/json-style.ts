/**
 * The formatting of a JSON file, so that edits can be written in the same style: which objects and lists are on one
 * line, the indentation, and the padding inside braces.
 */

type Path = readonly (string | number)[]

export interface JsonStyle {
  /** White space of one indentation level. */
  readonly indent: string
  readonly newline: string
  /** White space inside the braces of an object on one line. */
  readonly padding: string
  readonly endsWithNewline: boolean
  /** Whether the object or list at a path is on one line; undefined if the file has none at that path. */
  isInline(path: Path): boolean | undefined
}

const DEFAULT_STYLE: JsonStyle = {
  indent: '  ',
  newline: '\n',
  padding: ' ',
  endsWithNewline: true,
  isInline: () => undefined,
}

/** The style of a JSON text; the default style for a new file. */
export function styleOf(text: string | null): JsonStyle {
  if (text === null) return DEFAULT_STYLE
  const inline = inlineByPath(text)
  return {
    indent: /^([ \t]+)\S/m.exec(text)?.[1] ?? DEFAULT_STYLE.indent,
    newline: /\r\n/.test(text) ? '\r\n' : '\n',
    padding: /\{(\s*)"[^\n]*\}/.exec(text)?.[1] === '' ? '' : ' ',
    endsWithNewline: /\n\s*$/.test(text),
    isInline: (path) => inline.get(JSON.stringify(path)),
  }
}

/** Whether each object and list of a text is on one line, by path. */
function inlineByPath(text: string): Map<string, boolean> {
  const inline = new Map<string, boolean>()
  const open: { readonly start: number; readonly path: Path; readonly isList: boolean; count: number }[] = []
  let key = ''
  for (const match of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\],]/g)) {
    const [token, colon] = match
    const around = open.at(-1)
    if (colon !== undefined) key = JSON.parse(token.slice(0, -colon.length))
    else if (token === '{' || token === '[') {
      const path = around ? [...around.path, around.isList ? around.count : key] : []
      open.push({ start: match.index, path, isList: token === '[', count: 0 })
    } else if ((token === '}' || token === ']') && around) {
      open.pop()
      inline.set(JSON.stringify(around.path), !text.slice(around.start, match.index).includes('\n'))
    } else if (token === ',' && around) around.count += 1
  }
  return inline
}

/** JSON in a given style. Values that the file did not have are formatted like their siblings. */
export function styledJson(value: unknown, style: JsonStyle): string {
  const { indent, newline, padding } = style

  function print(one: unknown, path: Path, isInline: boolean, depth: number): string {
    if (typeof one !== 'object' || one === null) return JSON.stringify(one)
    const entries: [string | number, unknown][] = Array.isArray(one)
      ? [...one.entries()]
      : Object.entries(one)
    const [left, right] = Array.isArray(one) ? ['[', ']'] : ['{', '}']
    if (entries.length === 0) return left + right
    const siblings = entries.flatMap(([key]) => style.isInline([...path, key]) ?? [])
    const parts = entries.map(([key, inner]) => {
      const at = [...path, key]
      const isInnerInline =
        isInline || (style.isInline(at) ?? (siblings.length > 0 && siblings.every(Boolean)))
      const text = print(inner, at, isInnerInline, depth + 1)
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
