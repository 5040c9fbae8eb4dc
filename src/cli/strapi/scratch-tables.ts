/** The tables of the scratch database of an import, and the numbers that stand for names in them. */

export const TABLES = `
  pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -65536; pragma temp_store = file;
  create table rows (type integer, id integer, document text, primary key (type, id)) without rowid;
  create table versions (type integer, document text, published integer, locale text, id integer, rank integer,
    primary key (type, document, published, locale)) without rowid;
  create table dropped (type integer, id integer, primary key (type, id)) without rowid;
  create table entries (component integer, id integer, type integer, source integer, entry integer,
    primary key (component, id)) without rowid;
  create table repeated (type integer, id integer, primary key (type, id)) without rowid;
  create table uniques (shape integer, id integer, type integer, source integer, document text, attribute text,
    locale text, value text);
  create table cleared (shape integer, id integer, attribute text, primary key (shape, id, attribute)) without rowid;
  create table links (left_type integer, left_ref integer, left_field text, left_pos real,
    right_type integer, right_ref integer, right_field text, right_pos real);
  create table edges (relation integer, source integer, entry integer, target text, target_type text,
    position real, inverse_position real, link integer, primary key (relation, source, entry, target)) without rowid;
  create table files (name text primary key, size integer) without rowid;
  create table sizes (name text primary key, size real) without rowid;
  begin;`

/** Names are stored as numbers. */
export class Names {
  readonly #numbers = new Map<string, number>()
  readonly #names: string[] = []

  numberOf(name: string): number {
    const known = this.#numbers.get(name)
    if (known !== undefined) return known
    this.#names.push(name)
    this.#numbers.set(name, this.#names.length - 1)
    return this.#names.length - 1
  }

  nameOf = (number: unknown): string => this.#names[Number(number)] ?? ''
}
