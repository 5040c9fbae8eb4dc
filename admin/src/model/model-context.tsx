/** The model with its unsaved changes, for every screen of the model editor. */

import { useDebouncedValue } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import { checkChanges, type SchemaList, type SchemaProblem } from '../api/model.ts'
import { modelTexts } from '../texts/model.ts'
import { countChanges, createDraft, editOf, isSame, type ModelDraft } from './draft/draft.ts'
import { rebase } from './draft/rebase.ts'
import { keepDraft, readDraft } from './kept-draft.ts'

const CHECK_DELAY_MS = 250

export interface ModelEditor {
  readonly draft: ModelDraft
  /** Why the model cannot be changed, or null. */
  readonly reason: string | null
  readonly isEditable: boolean
  /** What the server does not accept yet. */
  readonly problems: readonly SchemaProblem[]
  readonly canUndo: boolean
  change(update: (draft: ModelDraft) => ModelDraft): void
  undo(): void
  discard(): void
  /** Says that the changes are saved: the next version of the model has them. */
  accept(): void
}

const ModelContext = createContext<ModelEditor | null>(null)

export function useModel(): ModelEditor {
  const context = useContext(ModelContext)
  if (!context) throw new Error('The component is not below the model screen')
  return context
}

const schemasOf = ({ data }: SchemaList) => [...data.contentTypes, ...data.components]

interface ModelProviderProps {
  readonly loaded: SchemaList
  readonly children: ReactNode
}

export function ModelProvider({ loaded, children }: ModelProviderProps) {
  const { version, editable, reason } = loaded.meta
  const [drafts, setDrafts] = useState<readonly ModelDraft[]>(() => {
    const kept = editable ? readDraft() : null
    const fresh = createDraft(version, schemasOf(loaded))
    return kept ? [fresh, rebase(kept, version, schemasOf(loaded))] : [fresh]
  })
  const draft = drafts.at(-1) ?? createDraft(version, schemasOf(loaded))
  const isSaved = useRef(false)
  useEffect(() => {
    if (draft.version === version) return
    if (isSaved.current) {
      isSaved.current = false
      return setDrafts([createDraft(version, schemasOf(loaded))])
    }
    if (countChanges(draft) > 0) notifications.show({ message: modelTexts.changes.rebased })
    setDrafts((all) => all.map((each) => rebase(each, version, schemasOf(loaded))))
  }, [version, draft, loaded])
  useEffect(() => keepDraft(countChanges(draft) > 0 ? draft : null), [draft])
  const problems = useSchemaProblems(draft)
  const editor: ModelEditor = {
    draft,
    reason,
    isEditable: editable,
    problems,
    canUndo: drafts.length > 1,
    change: (update) =>
      setDrafts((all) => {
        const current = all.at(-1)
        if (!current) return all
        const next = update(current)
        return isSame(editOf(next), editOf(current)) ? all : [...all, next]
      }),
    undo: () => setDrafts((all) => (all.length > 1 ? all.slice(0, -1) : all)),
    discard: () => setDrafts([createDraft(version, schemasOf(loaded))]),
    accept: () => {
      isSaved.current = true
    },
  }
  return <ModelContext value={editor}>{children}</ModelContext>
}

/** What the server says about a draft, a moment after its last change. */
export function useSchemaProblems(draft: ModelDraft): readonly SchemaProblem[] {
  const [checked] = useDebouncedValue(draft, CHECK_DELAY_MS)
  const { data = [] } = useQuery({
    queryKey: ['schema-check', checked.version, editOf(checked)],
    queryFn: ({ signal }) => checkChanges(checked, signal),
    enabled: countChanges(checked) > 0,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  return countChanges(checked) > 0 ? data : []
}

/** The problems with an attribute, by the key of the option that they belong to; '' for the attribute as a whole. */
export const problemsOfAttribute = (
  problems: readonly SchemaProblem[],
  uid: string,
  name: string,
): ReadonlyMap<string, string> =>
  new Map(
    problems
      .filter(({ uid: at, path }) => at === uid && path[0] === 'attributes' && path[1] === name)
      .map(({ path, message }) => [path[2] ?? '', message]),
  )
