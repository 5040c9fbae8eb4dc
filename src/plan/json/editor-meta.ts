/**
 * Compiles what editors see of a document besides its content, as `__meta`: its status and that of its other locales, who
 * created it and changed it last, and how often other documents refer to it. Also who created it, where everybody sees that.
 */
import { typeOf, USER } from '../../model/model.ts'
import { type Sql, sql } from '../../store/sql.ts'
import { columnOf, EDGES, TOKENS } from '../../store/tables/layout.ts'
import type { EditorMeta } from '../query-tree.ts'
import { type Compilation, column, type RowSource } from '../sources.ts'

/** The pieces of `,"__meta":{…}` for the row of a source. */
export function editorMeta(c: Compilation, source: RowSource, editor: EditorMeta): readonly Sql[] {
  const hidesDrafts = editor.publishedOnly.includes(source.type.uid)
  const members: (readonly Sql[])[] = [
    [
      sql.lit('"status":"'),
      hidesDrafts ? sql.lit('published') : status(source, c.published === 1),
      sql.lit('"'),
    ],
    [sql.lit('"createdBy":'), person(c, column(source, 'created_by'))],
    [sql.lit('"updatedBy":'), person(c, column(source, 'updated_by'))],
  ]
  // Only for the documents that were asked for: the app shows nothing more of related ones.
  if (source.level === 0 && source.type.localized)
    members.push([sql.lit('"locales":{'), localeStatuses(c, source, hidesDrafts), sql.lit('}')])
  if (source.level === 0) members.push([sql.lit('"usedBy":'), referrerCount(c, source, editor.referrers)])
  const pieces = members.flatMap((member, index) => (index === 0 ? member : [sql.lit(','), ...member]))
  return [sql.lit(',"__meta":{'), ...pieces, sql.lit('}')]
}

/** The same for a file: its folder, and the part of the original image that it shows. */
export function fileMeta(c: Compilation, source: RowSource, { folder }: EditorMeta): readonly Sql[] {
  const path = c.dialect.quoteJson(sql`coalesce(${column(source, columnOf('folderPath'))}, '/')`)
  return [
    ...(folder
      ? [sql.lit(',"__meta":{"folder":'), path, sql.lit(',"crop":')]
      : [sql.lit(',"__meta":{"crop":')]),
    sql`coalesce(${column(source, columnOf('crop'))}, 'null')`,
    sql.lit('}'),
  ]
}

/** A published document whose draft was changed later is modified. */
function status(source: RowSource, isPublished: boolean): Sql {
  if (!source.type.draftAndPublish) return sql.lit('published')
  const own = column(source, 'updated_at')
  const isModified = isPublished ? sql`o.updated_at > ${own}` : sql`${own} > o.updated_at`
  const other = sql`select case when ${isModified} then 'modified' else 'published' end
    from ${sql.table(source.type.table)} as o where o.document_id = ${column(source, 'document_id')}
      and o.published = ${sql.lit(isPublished ? 0 : 1)} and o.locale = ${column(source, 'locale')}`
  return sql`coalesce((${other}), ${sql.lit(isPublished ? 'published' : 'draft')})`
}

/** A member for each locale of the document, itself included. */
function localeStatuses(c: Compilation, source: RowSource, hidesDrafts: boolean): Sql {
  const { type } = source
  const hasDrafts = type.draftAndPublish && !hidesDrafts
  const version: RowSource = { ...source, alias: c.alias() }
  const json: Sql = c.dialect.concat([
    sql.lit('"'),
    column(version, 'locale'),
    sql.lit('":"'),
    hasDrafts ? status(version, false) : sql.lit('published'),
    sql.lit('"'),
  ])
  const rows = c.dialect.joinRows(json, ',', [column(version, 'locale')], false)
  return sql`coalesce((select ${rows} from ${sql.table(type.table)} as ${sql.id(version.alias)}
    where ${column(version, 'document_id')} = ${column(source, 'document_id')}
      and ${column(version, 'published')} = ${sql.lit(hasDrafts ? 0 : 1)}), '')`
}

/** `user:7` as `{"id":7,"name":"jane"}`, `token:3` as `{"token":"website"}`; null for the server and deleted users. */
function person(c: Compilation, author: Sql): Sql {
  const user = { alias: c.alias() }
  const name = sql`coalesce(${c.dialect.jsonMember(column(user, 'served'), 'username')}, 'null')`
  const found = sql`select '{"id":' || ${column(user, 'id')} || ',"name":' || ${name} || '}'
    from ${sql.table(typeOf(c.model, USER).table)} as ${sql.id(user.alias)}
    where ${column(user, 'id')} = cast(substr(${author}, 6) as bigint)`
  const token = { alias: c.alias() }
  const named = sql`select '{"token":' || ${c.dialect.quoteJson(column(token, 'name'))} || '}'
    from ${sql.table(TOKENS)} as ${sql.id(token.alias)}
    where ${column(token, 'id')} = cast(substr(${author}, 7) as bigint)`
  return sql`coalesce(case when ${author} like 'user:%' then (${found})
    when ${author} like 'token:%' then (${named}) end, 'null')`
}

/** The user in `createdBy` or `updatedBy` of a content-type that shows them; null for tokens, the server and deleted users. */
export function creatorJson(c: Compilation, author: Sql, names: readonly string[]): Sql {
  const user = { alias: c.alias() }
  const json = c.dialect.concat([
    sql.lit('{"id":'),
    column(user, 'id'),
    sql.lit(',"documentId":"'),
    column(user, 'document_id'),
    sql.lit('"'),
    ...names.flatMap((name) => [
      sql.lit(`,"${name}":`),
      sql`coalesce(${c.dialect.jsonMember(column(user, 'served'), name)}, 'null')`,
    ]),
    sql.lit('}'),
  ])
  const found = sql`select ${json} from ${sql.table(typeOf(c.model, USER).table)} as ${sql.id(user.alias)}
    where ${column(user, 'id')} = cast(substr(${author}, 6) as bigint)`
  return sql`coalesce(case when ${author} like 'user:%' then (${found}) end, 'null')`
}

/** The number of references from versions of the shown status. */
function referrerCount(c: Compilation, source: RowSource, referrers: EditorMeta['referrers']): Sql {
  if (referrers.length === 0) return sql.lit('0')
  const edge = { alias: c.alias() }
  const relationsOf = (withDrafts: boolean) =>
    referrers
      .filter(({ type }) => typeOf(c.model, type).draftAndPublish === withDrafts)
      .map((relation) => sql.lit(c.layout.relationId(relation)))
  const counted = [
    { relations: relationsOf(true), published: c.published },
    { relations: relationsOf(false), published: 1 },
  ]
    .filter(({ relations }) => relations.length > 0)
    .map(
      ({ relations, published }) =>
        sql`(select count(*) from ${sql.table(EDGES)} as ${sql.id(edge.alias)}
          where ${column(edge, 'target')} = ${column(source, 'document_id')}
            and ${column(edge, 'relation')} in (${sql.join(relations)})
            and ${column(edge, 'published')} = ${sql.lit(published)})`,
    )
  return sql`(${sql.join(counted, ' + ')})`
}
