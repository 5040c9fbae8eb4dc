/** The text of a list of blocks on one line. */
export function plainTextOf(node: unknown): string {
  if (Array.isArray(node)) return node.map(plainTextOf).filter(Boolean).join(' ')
  if (typeof node !== 'object' || node === null) return ''
  if ('text' in node && typeof node.text === 'string') return node.text
  const children: unknown = 'children' in node ? node.children : null
  return Array.isArray(children) ? children.map(plainTextOf).join('') : ''
}
