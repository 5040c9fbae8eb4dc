/** Prints TypeScript names, unions and interfaces in the style of common formatters. */

const WIDTH = 110

/** A member name, quoted if necessary. */
export const key = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name))

export const quoted = (text: string) =>
  text.includes("'") && !text.includes('"')
    ? JSON.stringify(text)
    : `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`

/** An interface member `name: type`; a long union has one type per line. */
export function member(name: string, type: string | readonly string[], indent: string): string {
  if (typeof type === 'string') return `${indent}${name}: ${type}`
  const line = `${indent}${name}: ${type.join(' | ')}`
  if (type.length < 2 || line.length <= WIDTH) return line
  return `${indent}${name}:\n${type.map((part) => `${indent}  | ${part}`).join('\n')}`
}

/** An interface member that is a list of the types, or null. */
export function listMember(name: string, types: readonly string[], indent: string): string {
  const [only = 'never'] = types
  const list = types.length === 1 ? `${only}[]` : `(${types.join(' | ')})[]`
  const line = `${indent}${name}: ${list} | null`
  if (line.length <= WIDTH) return line
  const broken = [`${indent}${name}:`, `${indent}  | ${list}`, `${indent}  | null`]
  if (types.length === 1 || `${indent}  | ${list}`.length <= WIDTH) return broken.join('\n')
  const parts = types.map((type) => `${indent}      | ${type}`)
  return [`${indent}${name}:`, `${indent}  | (`, ...parts, `${indent}    )[]`, `${indent}  | null`].join('\n')
}

/** An object type with one member per line. */
export function block(members: readonly string[], indent: string): string {
  return members.length === 0 ? 'Record<never, never>' : `{\n${members.join('\n')}\n${indent}}`
}

/** An exported interface with a doc comment. */
export function exportedInterface(name: string, description: string, members: readonly string[]): string {
  const body = members.length === 0 ? '{}' : `{\n${members.join('\n')}\n}`
  return `/** ${description.replaceAll('*/', '* /')} */\nexport interface ${name} ${body}\n`
}
