/** Keeps unsaved changes of the model in this tab, so that reloading the page does not lose them. */
import type { ModelDraft } from './draft/draft.ts'
import type { Schema } from './draft/schema.ts'

const KEY = 'octavo-model'

interface KeptDraft {
  readonly version: number
  readonly base: readonly Schema[]
  readonly schemas: readonly Schema[]
  readonly renames: readonly (readonly [string, string])[]
}

export function keepDraft(draft: ModelDraft | null): void {
  sessionStorage.removeItem(KEY)
  if (!draft) return
  const { version, base, schemas, renames } = draft
  const kept: KeptDraft = {
    version,
    base: [...base.values()],
    schemas: [...schemas.values()],
    renames: [...renames],
  }
  sessionStorage.setItem(KEY, JSON.stringify(kept))
}

export function readDraft(): ModelDraft | null {
  const text = sessionStorage.getItem(KEY)
  if (text === null) return null
  const { version, base, schemas, renames }: KeptDraft = JSON.parse(text)
  const byUid = (list: readonly Schema[]) => new Map(list.map((schema) => [schema.uid, schema]))
  return { version, base: byUid(base), schemas: byUid(schemas), renames: new Map(renames) }
}
