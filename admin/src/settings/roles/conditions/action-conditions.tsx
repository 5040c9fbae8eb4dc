/** One action on a content-type: whether it is permitted, for which documents, and which attributes it covers. */
import { MultiSelect, Select, Switch } from '@mantine/core'
import { useEffect, useState } from 'react'
import { settingsTexts } from '../../../texts/settings/settings.ts'
import type { Cell, Restriction } from '../permissions/permission-cells.ts'
import { ACTIONS, type PermissionType } from '../permissions/permission-types.ts'
import styles from './conditions.module.css'
import { RuleEditor } from './rule-editor.tsx'

const { roles: words } = settingsTexts

/** Actions that read or write single attributes. */
const WITH_ATTRIBUTES: ReadonlySet<string> = new Set(['find', 'findOne', 'create', 'update'])

interface ActionConditionsProps {
  readonly type: PermissionType
  readonly action: string
  readonly cell: Cell
  readonly hasUser: boolean
  readonly onChange: (to: Restriction | 'all' | 'none') => void
  readonly onInvalid: (isInvalid: boolean) => void
}

export function ActionConditions({
  type,
  action,
  cell,
  onChange,
  onInvalid,
  ...rest
}: ActionConditionsProps) {
  const known = ACTIONS.find((each) => each === action)
  const label = known ? words.actions[known] : action
  const isPermitted = cell.kind !== 'none'
  return (
    <li className={styles.action}>
      <Switch
        label={label}
        checked={isPermitted}
        onChange={({ currentTarget }) => {
          onInvalid(false)
          onChange(currentTarget.checked ? 'all' : 'none')
        }}
      />
      {isPermitted && cell.isImplied && <p className={styles.hint}>{words.impliedBy}</p>}
      {isPermitted && !cell.isImplied && type.attributes.length > 0 && (
        <Limits
          type={type}
          action={action}
          label={label}
          restriction={cell.kind === 'restricted' ? cell.restriction : {}}
          onChange={onChange}
          onInvalid={onInvalid}
          {...rest}
        />
      )}
    </li>
  )
}

interface LimitsProps extends Omit<ActionConditionsProps, 'cell'> {
  readonly label: string
  readonly restriction: Restriction
}

function Limits({ type, action, label, restriction, hasUser, onChange, onInvalid }: LimitsProps) {
  const [isRuled, setIsRuled] = useState(restriction.filters !== undefined)
  const [isListed, setIsListed] = useState(restriction.fields !== undefined)
  const [isRuleInvalid, setIsRuleInvalid] = useState(false)
  const hasNoFields = isListed && (restriction.fields ?? []).length === 0
  const isInvalid = (isRuled && isRuleInvalid) || hasNoFields
  // biome-ignore lint/correctness/useExhaustiveDependencies: the parent wants to know when this changes.
  useEffect(() => onInvalid(isInvalid), [isInvalid])
  const change = ({ filters, fields }: { filters: Restriction['filters']; fields: Restriction['fields'] }) =>
    onChange(filters || fields ? { ...(filters && { filters }), ...(fields && { fields }) } : 'all')
  const { filters, fields } = restriction
  return (
    <div className={styles.limits}>
      <div className={styles.choices}>
        <Select
          size="xs"
          aria-label={`${words.documents}: ${label}`}
          data={[
            { value: 'all', label: words.allDocuments },
            { value: 'some', label: words.someDocuments },
          ]}
          value={isRuled ? 'some' : 'all'}
          onChange={(value) => {
            setIsRuled(value === 'some')
            if (value === 'all') change({ filters: undefined, fields })
          }}
          allowDeselect={false}
        />
        {WITH_ATTRIBUTES.has(action) && (
          <Select
            size="xs"
            aria-label={`${words.attributes}: ${label}`}
            data={[
              { value: 'all', label: words.allAttributes },
              { value: 'some', label: words.someAttributes },
            ]}
            value={isListed ? 'some' : 'all'}
            onChange={(value) => {
              setIsListed(value === 'some')
              if (value === 'all') change({ filters, fields: undefined })
            }}
            allowDeselect={false}
          />
        )}
      </div>
      {isRuled && (
        <RuleEditor
          type={type}
          action={action}
          initial={filters}
          hasUser={hasUser}
          onChange={(next) => change({ filters: next, fields })}
          onInvalid={setIsRuleInvalid}
        />
      )}
      {isListed && (
        <MultiSelect
          size="xs"
          aria-label={`${words.chooseAttributes}: ${label}`}
          placeholder={words.chooseAttributes}
          searchable
          clearable
          data={type.attributes.map(({ name, label }) => ({ value: name, label }))}
          value={[...(fields ?? [])]}
          onChange={(next) => change({ filters, fields: next })}
          error={hasNoFields && words.noAttributes}
        />
      )}
    </div>
  )
}
