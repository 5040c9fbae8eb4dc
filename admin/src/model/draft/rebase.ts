/** Applies unsaved changes to schemas that someone else has changed meanwhile. Pure. */
import { createDraft, isSame, type ModelDraft } from './draft.ts'
import type { Attributes, Schema } from './schema.ts'

/** The same changes on newer schemas. Where both changed the same attribute or setting, ours is kept. */
export function rebase(draft: ModelDraft, version: number, newer: readonly Schema[]): ModelDraft {
  const next = createDraft(version, newer)
  const renames = new Map([...draft.renames].filter(([, from]) => next.base.has(from)))
  const merged = new Map<string, Schema>()
  for (const [uid, mine] of draft.schemas) {
    const origin = draft.renames.get(uid) ?? uid
    const [before, theirs] = [draft.base.get(origin), next.base.get(origin)]
    if (!before) merged.set(uid, mine)
    // What they removed is gone, unless it was changed here.
    else if (!theirs) {
      if (!isSame(before, mine)) merged.set(uid, mine)
    } else merged.set(uid, { ...merge(before, mine, theirs), uid })
  }
  for (const [uid, theirs] of next.base) if (!draft.base.has(uid) && !merged.has(uid)) merged.set(uid, theirs)
  return { ...next, schemas: merged, renames }
}

function merge(before: Schema, mine: Schema, theirs: Schema): Schema {
  if (isSame(before, mine)) return theirs
  if (isSame(before, theirs)) return mine
  const keys = new Set([...Object.keys(theirs), ...Object.keys(mine)])
  const values = [...keys].flatMap((key): [string, unknown][] => {
    const value = isSame(before[key], mine[key]) ? theirs[key] : mine[key]
    return value === undefined ? [] : [[key, value]]
  })
  return {
    ...theirs,
    ...Object.fromEntries(values),
    attributes: mergeAttributes(before.attributes, mine.attributes, theirs.attributes),
  }
}

/** In our order; what they added is at the end. */
function mergeAttributes(before: Attributes, mine: Attributes, theirs: Attributes): Attributes {
  const ours = Object.entries(mine).flatMap(([name, attribute]) => {
    const isChanged = !isSame(before[name], attribute)
    const newer = theirs[name]
    if (isChanged) return [[name, attribute] as const]
    return newer ? [[name, newer] as const] : []
  })
  const added = Object.entries(theirs).filter(
    ([name]) => !Object.hasOwn(before, name) && !Object.hasOwn(mine, name),
  )
  return Object.fromEntries([...ours, ...added])
}
