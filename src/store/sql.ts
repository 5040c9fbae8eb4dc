/**
 * SQL as pieces that are put together. What stands in a template is text of this program; what is put into one is another
 * piece, or a value, which never becomes text but a parameter of the statement.
 */

/** A piece of SQL. Only this file makes them, so nothing that came from outside is taken for one. */
export class Sql {
  /** One more than there are gaps. */
  readonly texts: readonly string[]
  /** What stands between the texts: pieces, and values. */
  readonly gaps: readonly unknown[]

  constructor(texts: readonly string[], gaps: readonly unknown[] = []) {
    this.texts = texts
    this.gaps = gaps
  }
}

/** The piece that a template says. */
const template = (texts: TemplateStringsArray, ...gaps: readonly unknown[]): Sql => new Sql(texts, gaps)

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

/** A name; several are those of what it is in, from the outside in. */
const id = (...names: readonly string[]): Sql => new Sql([names.map(quoted).join('.')])

function literal(value: string | number): string {
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`
  if (!Number.isFinite(value)) throw new Error(`${value} has no literal`)
  return String(value)
}

export const sql = Object.assign(template, {
  id,
  /** The name of a table. */
  table: (name: string): Sql => id(name),
  /** A column, behind the name of its table and a dot if there is one. */
  ref: (name: string): Sql => id(...name.split('.')),
  /** A value of this program as text, where the planner is to know it. */
  lit: (value: string | number): Sql => new Sql([literal(value)]),
  /** Text of this program, as it is. */
  raw: (text: string): Sql => new Sql([text]),
  /** Pieces and values one behind the other, with a text between them. */
  join: (parts: readonly unknown[], separator = ', '): Sql =>
    new Sql(parts.length === 0 ? [''] : ['', ...parts.slice(1).map(() => separator), ''], parts),
})
