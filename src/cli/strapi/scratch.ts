/**
 * A temporary database with what an import must look up: rows, component entries, relations and files by their ids in
 * Strapi. On disk, so that an import of any size needs little memory.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { LinkEnd } from './archive/parts.ts'

/** The component entry of a row. */
export interface EntryReference {
  /** uid of the content-type that the row belongs to. */
  readonly type: string
  readonly source: number
  readonly entry: number
}

/** An edge, with the number of its relation in the list of the model's relations. */
export interface StagedEdge {
  readonly relation: number
  readonly source: number
  readonly entry: number
  readonly target: string
  readonly targetType: string | null
  readonly position: number
  readonly inversePosition: number
}

export interface VersionKey {
  readonly type: string
  readonly documentId: string
  readonly published: boolean
  readonly locale: string
}

const TABLES = `
  pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -65536; pragma temp_store = file;
  create table rows (type integer, id integer, document text, primary key (type, id)) without rowid;
  create table versions (type integer, document text, published integer, locale text, id integer, rank integer,
    primary key (type, document, published, locale)) without rowid;
  create table dropped (type integer, id integer, primary key (type, id)) without rowid;
  create table entries (component integer, id integer, type integer, source integer, entry integer,
    primary key (component, id)) without rowid;
  create table uniques (type integer, attribute text, locale text, value text, primary key (type, attribute, locale, value))
    without rowid;
  create table cleared (type integer, id integer, attribute text, primary key (type, id, attribute)) without rowid;
  create table links (left_type integer, left_ref integer, left_field text, left_pos real,
    right_type integer, right_ref integer, right_field text, right_pos real);
  create table edges (relation integer, source integer, entry integer, target text, target_type text,
    position real, inverse_position real, primary key (relation, source, entry, target)) without rowid;
  create table files (name text primary key, size integer) without rowid;
  create table sizes (name text primary key, size real) without rowid;
  begin;`

/** Links often lead to the same rows: these many are remembered. */
const MAX_FOUND_ROWS = 50_000
/** Ids of rows are below this number, which leaves room for the number of the type. */
const MAX_ID = 2 ** 40

/** Names are stored as numbers. */
class Names {
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

export class Scratch implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), 'octavo-import-'))
  readonly #database = new DatabaseSync(join(this.#folder, 'scratch.db'))
  readonly #names = new Names()
  readonly #statements = new Map<string, StatementSync>()
  readonly #foundRows = new Map<number, string | null>()

  constructor() {
    this.#database.exec(TABLES)
  }

  [Symbol.dispose](): void {
    this.#database.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  addFile(name: string, size: number): void {
    this.#prepare('insert or replace into files values (?, ?)').run(name, size)
  }

  addRecordedSize(name: string, size: number): void {
    this.#prepare('insert or replace into sizes values (?, ?)').run(name, size)
  }

  /** The number of files whose size differs from the recorded one, which is rounded to ten bytes. */
  filesOfOtherSize(): number {
    const statement = this.#prepare(
      'select count(*) as count from files join sizes using (name) where abs(files.size - sizes.size) > 10',
    )
    return Number(statement.get()?.count ?? 0)
  }

  /** The number of files that Strapi has recorded without their bytes. */
  filesWithoutBytes(): number {
    const statement = this.#prepare(
      'select count(*) as count from sizes where name not in (select name from files)',
    )
    return Number(statement.get()?.count ?? 0)
  }

  /** The size of a file of the archive; null if the archive does not have it. */
  fileSize(name: string): number | null {
    const found = this.#prepare('select size from files where name = ?').get(name)
    return found ? Number(found.size) : null
  }

  /**
   * Adds a row. If another row is the same version of the same document, the one with the higher rank stays. Returns
   * whether a row was dropped.
   */
  addRow(id: number, key: VersionKey, rank: number): boolean {
    const type = this.#names.numberOf(key.type)
    const version = [type, key.documentId, key.published ? 1 : 0, key.locale] as const
    const other = this.#prepare(
      'select id, rank from versions where type = ? and document = ? and published = ? and locale = ?',
    ).get(...version)
    if (other && Number(other.rank) >= rank) {
      this.#prepare('insert or ignore into dropped values (?, ?)').run(type, id)
      return true
    }
    if (other) {
      this.#prepare('insert or ignore into dropped values (?, ?)').run(type, Number(other.id))
      this.#prepare('delete from rows where type = ? and id = ?').run(type, Number(other.id))
    }
    this.#prepare('insert or replace into versions values (?, ?, ?, ?, ?, ?)').run(...version, id, rank)
    this.#prepare('insert or replace into rows values (?, ?, ?)').run(type, id, key.documentId)
    return other !== undefined
  }

  /** The documentId of a row that will be imported; null for any other. To be called when all rows are added. */
  findRow(type: string, id: number): string | null {
    const number = this.#names.numberOf(type)
    const key = number * MAX_ID + id
    const known = this.#foundRows.get(key)
    if (known !== undefined) return known
    const row = this.#prepare('select document from rows where type = ? and id = ?').get(number, id)
    const documentId = row ? String(row.document) : null
    if (this.#foundRows.size >= MAX_FOUND_ROWS) this.#foundRows.clear()
    this.#foundRows.set(key, documentId)
    return documentId
  }

  isDropped(type: string, id: number): boolean {
    const statement = this.#prepare('select 1 from dropped where type = ? and id = ?')
    return statement.get(this.#names.numberOf(type), id) !== undefined
  }

  /** Returns whether the component was new; a component belongs to the first row that has it. */
  addEntry(component: string, id: number, owner: EntryReference): boolean {
    const { changes } = this.#prepare('insert or ignore into entries values (?, ?, ?, ?, ?)').run(
      this.#names.numberOf(component),
      id,
      this.#names.numberOf(owner.type),
      owner.source,
      owner.entry,
    )
    return changes === 1
  }

  findEntry(component: string, id: number): EntryReference | null {
    const found = this.#prepare('select type, source, entry from entries where component = ? and id = ?').get(
      this.#names.numberOf(component),
      id,
    )
    return found
      ? { type: this.#names.nameOf(found.type), source: Number(found.source), entry: Number(found.entry) }
      : null
  }

  /** Returns false if another row has the value. */
  claimUnique(type: string, attribute: string, locale: string, value: string): boolean {
    const { changes } = this.#prepare('insert or ignore into uniques values (?, ?, ?, ?)').run(
      this.#names.numberOf(type),
      attribute,
      locale,
      value,
    )
    return changes === 1
  }

  clearValue(type: string, id: number, attribute: string): void {
    const statement = this.#prepare('insert or ignore into cleared values (?, ?, ?)')
    statement.run(this.#names.numberOf(type), id, attribute)
  }

  clearedValues(type: string, id: number): string[] {
    const statement = this.#prepare('select attribute from cleared where type = ? and id = ?')
    return statement.all(this.#names.numberOf(type), id).map((row) => String(row.attribute))
  }

  addLink(left: LinkEnd, right: LinkEnd): void {
    this.#prepare('insert into links values (?, ?, ?, ?, ?, ?, ?, ?)').run(
      ...[this.#names.numberOf(left.type), left.ref, left.field, left.pos],
      ...[this.#names.numberOf(right.type), right.ref, right.field, right.pos],
    )
  }

  /** All links in the order in which they were added. */
  *links(): Generator<{ left: LinkEnd; right: LinkEnd }> {
    const statement = this.#prepare('select * from links order by rowid')
    statement.setReturnArrays(true)
    // Lists of columns, which the types of node:sqlite do not know.
    const rows: Iterable<unknown> = statement.iterate()
    for (const row of rows) {
      if (!Array.isArray(row)) continue
      yield { left: this.#linkEnd(row.slice(0, 4)), right: this.#linkEnd(row.slice(4)) }
    }
  }

  #linkEnd([type, ref, field, pos]: readonly unknown[]): LinkEnd {
    return {
      type: this.#names.nameOf(type),
      ref: Number(ref),
      field: typeof field === 'string' ? field : null,
      pos: typeof pos === 'number' ? pos : null,
    }
  }

  /** Adds an edge. Returns false if it exists already; then it keeps the first position on each side. */
  addEdge({ relation, source, entry, target, targetType, position, inversePosition }: StagedEdge): boolean {
    const values = [relation, source, entry, target, targetType, position, inversePosition]
    const { changes } = this.#prepare('insert or ignore into edges values (?, ?, ?, ?, ?, ?, ?)').run(
      ...values,
    )
    if (changes === 1) return true
    this.#prepare(
      `update edges set position = min(position, ?), inverse_position = min(inverse_position, ?)
        where relation = ? and source = ? and entry = ? and target = ?`,
    ).run(position, inversePosition, relation, source, entry, target)
    return false
  }

  /** Leaves the first target of each owner of a relation that holds one; returns how many others were dropped. */
  dropFurtherTargets(relation: number): number {
    const { changes } = this.#prepare(
      `delete from edges where relation = ? and (source, entry, target) in (
        select source, entry, target from (
          select source, entry, target, row_number() over (partition by source, entry order by position, target) as place
          from edges where relation = ?) where place > 1)`,
    ).run(relation, relation)
    return Number(changes)
  }

  countEdges(): number {
    return Number(this.#prepare('select count(*) as count from edges').get()?.count ?? 0)
  }

  /** All edges, those of one owner after each other and in its order. */
  *edges(): Generator<StagedEdge> {
    const statement = this.#prepare('select * from edges order by relation, source, entry, position, target')
    for (const row of statement.iterate())
      yield {
        relation: Number(row.relation),
        source: Number(row.source),
        entry: Number(row.entry),
        target: String(row.target),
        targetType: typeof row.target_type === 'string' ? row.target_type : null,
        position: Number(row.position),
        inversePosition: Number(row.inverse_position),
      }
  }

  #prepare(text: string): StatementSync {
    const known = this.#statements.get(text)
    if (known) return known
    const statement = this.#database.prepare(text)
    this.#statements.set(text, statement)
    return statement
  }
}
