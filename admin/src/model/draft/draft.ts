/** Unsaved changes of the model: all schemas as they shall be, beside those of the server. Pure. */
import { isType, type Schema } from './schema.ts'

export interface ModelDraft {
  /** The version of the schemas on the server. */
  readonly version: number
  readonly base: ReadonlyMap<string, Schema>
  readonly schemas: ReadonlyMap<string, Schema>
  /** The uids on the server of schemas that have another uid here. */
  readonly renames: ReadonlyMap<string, string>
}

export function createDraft(version: number, schemas: readonly Schema[]): ModelDraft {
  const base = new Map(schemas.map((schema) => [schema.uid, withInfo(schema)]))
  return { version, base, schemas: base, renames: new Map() }
}

/** Files may leave out `info` and `attributes`. */
const withInfo = (schema: Schema): Schema => ({
  ...schema,
  info: schema.info ?? {},
  attributes: schema.attributes ?? {},
})

/** The schema on the server that this one changes; undefined if it is new. */
export const baseOf = ({ base, renames }: ModelDraft, uid: string): Schema | undefined =>
  base.get(renames.get(uid) ?? uid)

/** The order of attributes counts, since responses and forms have it. */
export const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

const changedUids = (draft: ModelDraft): readonly string[] =>
  [...draft.schemas.values()]
    .filter((schema) => !isSame(schema, baseOf(draft, schema.uid)))
    .map(({ uid }) => uid)

function removedUids({ base, schemas, renames }: ModelDraft): readonly string[] {
  const renamed = new Set(renames.values())
  return [...base.keys()].filter((uid) => !schemas.has(uid) && !renamed.has(uid))
}

/** How many content-types and components are changed, new or removed. */
export const countChanges = (draft: ModelDraft) => changedUids(draft).length + removedUids(draft).length

/** The body of a request that makes the changes. */
export function editOf(draft: ModelDraft) {
  const changed = changedUids(draft).flatMap((uid) => draft.schemas.get(uid) ?? [])
  return {
    contentTypes: changed.filter(({ uid }) => isType(uid)),
    components: changed.filter(({ uid }) => !isType(uid)),
    rename: [...draft.renames].map(([to, from]) => ({ from, to })),
    remove: removedUids(draft),
  }
}

export const withSchema = (draft: ModelDraft, schema: Schema): ModelDraft => ({
  ...draft,
  schemas: new Map([...draft.schemas, [schema.uid, schema]]),
})

/** Changes one schema; nothing happens if it does not exist. */
export function updateSchema(draft: ModelDraft, uid: string, change: (schema: Schema) => Schema): ModelDraft {
  const schema = draft.schemas.get(uid)
  return schema ? withSchema(draft, change(schema)) : draft
}
