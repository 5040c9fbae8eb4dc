/** The rule that says which documents a permission covers, checked by the server while it is written. */
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { messageOf } from '../../../api/request.ts'
import { checkPermissions } from '../../../api/settings/roles.ts'
import { FilterValue } from '../../../filters/filter-value.tsx'
import { type Filters, FiltersEditor, parseFilters } from '../../../filters/filters-editor.tsx'
import { useSchema } from '../../../shell/me.tsx'
import { settingsTexts } from '../../../texts/settings/settings.ts'
import { texts } from '../../../texts.ts'
import type { PermissionType } from '../permissions/permission-types.ts'
import styles from './conditions.module.css'
import { RuleValue } from './rule-value.tsx'

const { roles: words } = settingsTexts

interface RuleEditorProps {
  readonly type: PermissionType
  readonly action: string
  readonly initial: Filters | undefined
  readonly hasUser: boolean
  readonly onChange: (filters: Filters | undefined) => void
  readonly onInvalid: (isInvalid: boolean) => void
}

export function RuleEditor({ type, action, initial, hasUser, onChange, onInvalid }: RuleEditorProps) {
  const schema = useSchema()
  const [filters, setFilters] = useState<Filters | null>(initial ?? {})
  const problem = useProblem(type.uid, action, filters)
  const isIncomplete = filters === null || Object.keys(filters).length === 0
  const isInvalid = isIncomplete || problem.message !== null || problem.isChecking
  // biome-ignore lint/correctness/useExhaustiveDependencies: the parent wants to know when this changes.
  useEffect(() => onInvalid(isInvalid), [isInvalid])
  const status =
    filters === null
      ? texts.filters.invalidJson
      : isIncomplete
        ? words.incomplete
        : problem.isChecking
          ? words.checking
          : (problem.message ?? words.valid)
  return (
    <FiltersEditor
      initial={initial}
      filterables={type.filterables(schema)}
      Value={hasUser ? RuleValue : FilterValue}
      onChange={(next) => {
        setFilters(next)
        if (next !== null && Object.keys(next).length > 0) onChange(next)
      }}
      status={
        <span className={isInvalid && !problem.isChecking ? styles.problem : styles.hint}>{status}</span>
      }
    />
  )
}

const PAUSE_MS = 300

/** What the server says about a rule, a moment after the last key. */
function useProblem(uid: string, action: string, filters: Filters | null) {
  const rule = JSON.stringify(filters)
  const [typed] = useDebouncedValue(rule, PAUSE_MS)
  const { error, isFetching } = useQuery({
    queryKey: ['permissions', 'check', uid, action, typed],
    queryFn: async () => {
      const checked = parseFilters(typed)
      if (checked) await checkPermissions({ [uid]: [{ action, filters: checked }] })
      return null
    },
    retry: false,
    staleTime: 60_000,
  })
  return { message: error ? messageOf(error) : null, isChecking: isFetching || typed !== rule }
}
