/**
 * SQL as fragments that are put together with a template. The text of a template is part of this program; what is
 * interpolated is another fragment, or a value, which becomes a parameter of the statement and never text.
 */

/** A fragment of SQL. Only this file creates them, so that input is never mistaken for one. */
export class Sql {
  /** One more than there are gaps between them. */
  readonly texts: readonly string[]
  /** The fragments and values between the texts. */
  readonly gaps: readonly unknown[]

  constructor(texts: readonly string[], gaps: readonly unknown[] = []) {
    this.texts = texts
    this.gaps = gaps
  }
}

const template = (texts: TemplateStringsArray, ...gaps: readonly unknown[]): Sql => new Sql(texts, gaps)

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

/** A quoted name; several are joined with dots. */
const id = (...names: readonly string[]): Sql => new Sql([names.map(quoted).join('.')])

function literal(value: string | number): string {
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`
  if (!Number.isFinite(value)) throw new Error(`${value} cannot be written as a literal`)
  return String(value)
}

export const sql = Object.assign(template, {
  id,
  table: (name: string): Sql => id(name),
  /** A column, such as `name` or `table.name`. */
  ref: (name: string): Sql => id(...name.split('.')),
  /** A value of this program as text, where the planner should see it. */
  lit: (value: string | number): Sql => new Sql([literal(value)]),
  /** Text of this program. */
  raw: (text: string): Sql => new Sql([text]),
  /** Fragments and values with a separator between them. */
  join: (parts: readonly unknown[], separator = ', '): Sql =>
    new Sql(parts.length === 0 ? [''] : ['', ...parts.slice(1).map(() => separator), ''], parts),
})
