/** TypeScript as text: names, unions and interfaces, laid out as formatters would have it. */

const WIDTH = 110

/** A name as the key of a member; quoted where it must be. */
export const key = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name))

export const quoted = (text: string) =>
  text.includes("'") && !text.includes('"')
    ? JSON.stringify(text)
    : `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`

/** A member of an interface: `name: type`, on as many lines as it takes. */
export function member(name: string, type: string | readonly string[], indent: string): string {
  if (typeof type === 'string') return `${indent}${name}: ${type}`
  const line = `${indent}${name}: ${type.join(' | ')}`
  if (type.length < 2 || line.length <= WIDTH) return line
  return `${indent}${name}:\n${type.map((part) => `${indent}  | ${part}`).join('\n')}`
}

/** A member that is a list of any of the types, or null. */
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

/** An object type with a member on each line, inside another. */
export function block(members: readonly string[], indent: string): string {
  return members.length === 0 ? 'Record<never, never>' : `{\n${members.join('\n')}\n${indent}}`
}

/** An exported interface with a sentence above it. */
export function exportedInterface(name: string, sentence: string, members: readonly string[]): string {
  const body = members.length === 0 ? '{}' : `{\n${members.join('\n')}\n}`
  return `/** ${sentence.replaceAll('*/', '* /')} */\nexport interface ${name} ${body}\n`
}
