/** Which documents show a file. */
import { sql } from 'kysely'
import type { ContentType } from '../model/model.ts'
import { compile } from '../store/compile.ts'
import { EDGES, type Layout } from '../store/layout.ts'
import type { Store } from '../store/store.ts'
import { mediaAttributes } from './records.ts'

/** The version rows that lead to a file, by content-type; at most `limit` of them. */
export async function rowsShowing(
  store: Store,
  layout: Layout,
  documentId: string,
  limit: number,
): Promise<Map<ContentType, number[]>> {
  const types = new Map(mediaAttributes(layout).map(({ type, relation }) => [relation, type]))
  const found = new Map<ContentType, number[]>()
  if (types.size === 0) return found
  const rows = await store.read(
    compile(
      store.engine,
      sql`select distinct relation, source from ${sql.table(EDGES)}
        where target = ${documentId} and relation in (${sql.join([...types.keys()])})
        order by relation, source limit ${limit}`,
    ),
  )
  for (const { relation, source } of rows) {
    const type = types.get(Number(relation))
    if (type) found.set(type, [...(found.get(type) ?? []), Number(source)])
  }
  return found
}
