/** The rule that says which documents a permission covers, built as conditions or as JSON, and checked by the server. */
import { Button, Textarea } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { messageOf } from '../../../api/request.ts'
import { checkPermissions, type RestrictedPermission } from '../../../api/roles.ts'
import { completeFilter, type FilterGroup, filtersParameter, NO_FILTER } from '../../../filters/filter.ts'
import { FilterConditions, startingGroup } from '../../../filters/filter-builder.tsx'
import { FilterValue } from '../../../filters/filter-value.tsx'
import { groupOfFilters } from '../../../filters/filters-json.ts'
import { useSchema } from '../../../shell/me.tsx'
import { texts } from '../../../texts.ts'
import type { PermissionType } from '../permissions/permission-types.ts'
import styles from './conditions.module.css'
import { ruleFilterables } from './rule-filterables.ts'
import { RuleValue } from './rule-value.tsx'

const { roles: words } = texts.settings

type Filters = NonNullable<RestrictedPermission['filters']>

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
  const filterables = type.view ? ruleFilterables(schema, type.view) : []
  const [group, setGroup] = useState<FilterGroup | null>(() => {
    const read = groupOfFilters(initial ?? {})
    return type.view && read ? startingGroup(filterables, initial ? read : NO_FILTER) : null
  })
  const [json, setJson] = useState(() => JSON.stringify(initial ?? {}, null, 2))
  const filters = group ? filtersOf(group) : parseObject(json)
  const problem = useProblem(type.uid, action, filters)
  const isIncomplete = filters === null || Object.keys(filters).length === 0
  const isInvalid = isIncomplete || problem.message !== null || problem.isChecking
  // biome-ignore lint/correctness/useExhaustiveDependencies: the parent wants to know when this changes.
  useEffect(() => onInvalid(isInvalid), [isInvalid])
  const change = (next: Filters | null) => {
    if (next !== null && Object.keys(next).length > 0) onChange(next)
  }
  const asJson = () => {
    setJson(JSON.stringify(filters ?? {}, null, 2))
    setGroup(null)
  }
  const readable = group ? null : groupOfFilters(filters ?? {})
  return (
    <div className={styles.rule}>
      {group ? (
        <FilterConditions
          group={group}
          filterables={filterables}
          Value={hasUser ? RuleValue : FilterValue}
          onChange={(next) => {
            setGroup(next)
            change(filtersOf(next))
          }}
        />
      ) : (
        <Textarea
          label={words.json}
          autosize
          minRows={3}
          classNames={{ input: styles.json ?? '' }}
          value={json}
          onChange={({ currentTarget }) => {
            setJson(currentTarget.value)
            change(parseObject(currentTarget.value))
          }}
        />
      )}
      <div className={styles.check}>
        <span role="status" className={isInvalid && !problem.isChecking ? styles.problem : styles.hint}>
          {filters === null
            ? words.invalidJson
            : isIncomplete
              ? words.incomplete
              : problem.isChecking
                ? words.checking
                : (problem.message ?? words.valid)}
        </span>
        {group && (
          <Button size="xs" variant="subtle" color="gray" onClick={asJson}>
            {words.asJson}
          </Button>
        )}
        {!group && type.view && readable && (
          <Button
            size="xs"
            variant="subtle"
            color="gray"
            onClick={() => setGroup(startingGroup(filterables, readable))}
          >
            {words.asConditions}
          </Button>
        )}
      </div>
    </div>
  )
}

/** The filters of the complete conditions; empty when there are none. */
function filtersOf(group: FilterGroup): Filters {
  const complete = completeFilter(group)
  return complete ? filtersParameter(complete) : {}
}

function parseObject(json: string): Filters | null {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    return null
  }
}

const PAUSE_MS = 300

/** What the server says about a rule, a moment after the last key. */
function useProblem(uid: string, action: string, filters: Filters | null) {
  const rule = JSON.stringify(filters)
  const [typed] = useDebouncedValue(rule, PAUSE_MS)
  const { error, isFetching } = useQuery({
    queryKey: ['permissions', 'check', uid, action, typed],
    queryFn: async () => {
      const checked = parseObject(typed)
      if (checked) await checkPermissions({ [uid]: [{ action, filters: checked }] })
      return null
    },
    retry: false,
    staleTime: 60_000,
  })
  return { message: error ? messageOf(error) : null, isChecking: isFetching || typed !== rule }
}
