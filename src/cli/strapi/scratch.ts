/**
 * A temporary database with what an import must look up: rows, component entries, relations and files by their ids in
 * Strapi. On disk, so that an import of any size needs little memory.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { LinkEnd } from './archive/parts.ts'
import { Names, TABLES } from './scratch-tables.ts'

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

/** An edge of a link, with the number of the link: links with equal positions are in the order of the export. */
export type LinkedEdge = StagedEdge & { readonly link: number }

/** A value of a unique attribute of a row or of a component entry. */
export interface UniqueValue {
  /** uid of the content-type or component. */
  readonly shape: string
  /** The id of the row in Strapi, or of the entry here. */
  readonly id: number
  readonly attribute: string
  readonly value: string
}

/** The values of a unique attribute that other rows or component entries have too. */
export interface RepeatedValues {
  /** uid of the content-type or component. */
  readonly shape: string
  readonly attribute: string
  readonly count: number
  /** The first document whose value is left out. */
  readonly first: string
}

export interface VersionKey {
  readonly type: string
  readonly documentId: string
  readonly published: boolean
  readonly locale: string
}

/** Links often lead to the same rows: these many are remembered. */
const MAX_FOUND_ROWS = 50_000
/** Ids of rows are below this number, which leaves room for the number of the type. */
const MAX_ID = 2 ** 40

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

  /** The size of a file of the archive; null if the archive does not have it. */
  fileSize(name: string): number | null {
    const found = this.#prepare('select size from files where name = ?').get(name)
    return found ? Number(found.size) : null
  }

  /** Whether a row with this id was added. */
  hasRow(type: string, id: number): boolean {
    const number = this.#names.numberOf(type)
    const statement = this.#prepare(
      'select 1 from rows where type = ? and id = ? union all select 1 from dropped where type = ? and id = ?',
    )
    return statement.get(number, id, number, id) !== undefined
  }

  /** Notes that several rows have this id, of which the first is imported. */
  addRepeated(type: string, id: number): void {
    this.#prepare('insert or ignore into repeated values (?, ?)').run(this.#names.numberOf(type), id)
  }

  isRepeated(type: string, id: number): boolean {
    const statement = this.#prepare('select 1 from repeated where type = ? and id = ?')
    return statement.get(this.#names.numberOf(type), id) !== undefined
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

  /** Adds a value that a row has in a unique attribute, itself or in a component. `source` is the id of the row. */
  addUnique({ type, documentId, locale }: VersionKey, source: number, unique: UniqueValue): void {
    const { shape, id, attribute, value } = unique
    const statement = this.#prepare('insert into uniques values (?, ?, ?, ?, ?, ?, ?, ?)')
    const [ofShape, ofRow] = [this.#names.numberOf(shape), this.#names.numberOf(type)]
    statement.run(ofShape, id, ofRow, source, documentId, attribute, locale, value)
  }

  /**
   * Clears the values of unique attributes that an earlier row or entry has too, and counts them. To be called once, when
   * all rows are added: only now is it known which rows are imported.
   */
  clearRepeatedValues(): RepeatedValues[] {
    this.#prepare(
      `insert into cleared select shape, id, attribute from (
        select *, row_number() over (partition by shape, attribute, locale, value order by rowid) as place
          from uniques as u where not exists (select 1 from dropped as d where d.type = u.type and d.id = u.source))
        where place > 1`,
    ).run()
    const counts = this.#prepare(
      `select u.shape, u.attribute, count(*) as count, u.document, min(u.rowid)
        from uniques as u join cleared as c on c.shape = u.shape and c.id = u.id and c.attribute = u.attribute
        group by u.shape, u.attribute`,
    )
    return counts.all().map(({ shape, attribute, count, document }) => ({
      ...{ shape: this.#names.nameOf(shape), attribute: String(attribute), count: Number(count) },
      first: String(document),
    }))
  }

  /** The attributes of a row, or of a component entry, whose values were cleared. */
  clearedValues(shape: string, id: number): string[] {
    const statement = this.#prepare('select attribute from cleared where shape = ? and id = ?')
    return statement.all(this.#names.numberOf(shape), id).map((row) => String(row.attribute))
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
  addEdge(edge: LinkedEdge): boolean {
    const { relation, source, entry, target, targetType, position, inversePosition, link } = edge
    const { changes } = this.#prepare('insert or ignore into edges values (?, ?, ?, ?, ?, ?, ?, ?)').run(
      ...[relation, source, entry, target, targetType, position, inversePosition, link],
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
          select source, entry, target, row_number() over (partition by source, entry order by position, link) as place
          from edges where relation = ?) where place > 1)`,
    ).run(relation, relation)
    return Number(changes)
  }

  countEdges(): number {
    return Number(this.#prepare('select count(*) as count from edges').get()?.count ?? 0)
  }

  /**
   * All edges, those of one owner after each other and in its order. Positions are counted anew: Strapi gives the same one
   * to all files that were uploaded to a document.
   */
  *edges(): Generator<StagedEdge> {
    const statement = this.#prepare(
      `select relation, source, entry, target, target_type,
          row_number() over (partition by relation, source, entry order by position, link) as position,
          row_number() over (partition by relation, target order by inverse_position, link) as inverse_position
        from edges order by relation, source, entry, position`,
    )
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
