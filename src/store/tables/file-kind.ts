/** The kind of a file: the first part of its MIME type. An index has it, so that the files of one kind are found without reading the others. */
import { type Sql, sql } from '../sql.ts'
import { columnOf } from './layout.ts'

export const FILE_KINDS = ['image', 'video', 'audio', 'file'] as const

export const MIME_COLUMN = columnOf('mime')

/** The expression of the index. A condition has to use the same one, so it contains no parameters. */
export const fileKindOf = (mime: Sql): Sql =>
  sql`case substr(${mime}, 1, 6) when 'image/' then 'image' when 'video/' then 'video' when 'audio/' then 'audio' else 'file' end`
