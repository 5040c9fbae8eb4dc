/** Writes copied blocks with everything that the editor knows of them, so that nothing is lost when they are pasted again. */
import { DOMSerializer, type Mark, type Node, type Schema } from '@tiptap/pm/model'

/** The attribute that has the attributes of a node, as JSON. */
export const COPIED = 'data-copied'

/** Whether the HTML was copied in an editor like this one. */
export const isCopied = (html: string) => html.includes('data-pm-slice')

export function copiedAttributes(element: HTMLElement): Readonly<Record<string, unknown>> {
  try {
    const attributes: unknown = JSON.parse(element.getAttribute(COPIED) ?? '')
    return typeof attributes === 'object' && attributes !== null ? { ...attributes } : {}
  } catch {
    return {}
  }
}

export function copiesOf(schema: Schema): DOMSerializer {
  const { nodes, marks } = DOMSerializer.fromSchema(schema)
  return new DOMSerializer(
    mapped(nodes, (show) => (node: Node) => withAttributes(show(node), node)),
    mapped(marks, (show) => (mark: Mark, inline: boolean) => withAttributes(show(mark, inline), mark)),
  )
}

const mapped = <From, To>(from: Readonly<Record<string, From>>, change: (value: From) => To) =>
  Object.fromEntries(Object.entries(from).map(([name, value]): [string, To] => [name, change(value)]))

function withAttributes<Spec>(spec: Spec, { attrs }: Node | Mark): Spec | [string, ...unknown[]] {
  if (!Array.isArray(spec) || Object.keys(attrs).length === 0) return spec
  const [tag, first, ...rest]: unknown[] = spec
  const hasOwn = typeof first === 'object' && first !== null && !Array.isArray(first)
  const copied = {
    ...(hasOwn && first),
    [COPIED]: JSON.stringify(attrs),
    // For other programs.
    ...(typeof attrs.url === 'string' && { href: attrs.url }),
  }
  return [String(tag), copied, ...(hasOwn || first === undefined ? [] : [first]), ...rest]
}
