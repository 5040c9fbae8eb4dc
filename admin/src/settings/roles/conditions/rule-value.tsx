/** The value of a condition in a rule: one that is entered, or one of the user who sends the request. */
import { Select } from '@mantine/core'
import { FilterValue, type FilterValueProps } from '../../../filters/filter-value.tsx'
import { settingsTexts } from '../../../texts/settings/settings.ts'
import styles from './conditions.module.css'

const { roles: words } = settingsTexts

const FIXED = 'fixed'
const CHOICES = [
  { value: FIXED, label: words.fixedValue },
  ...Object.entries(words.userValues).map(([value, label]) => ({ value, label })),
]

export function RuleValue(props: FilterValueProps) {
  const { value, onChange } = props
  const isOfUser = value.startsWith('$user.')
  return (
    <div className={styles.value}>
      <Select
        size="xs"
        aria-label={words.compareWith}
        data={CHOICES}
        value={isOfUser ? value : FIXED}
        onChange={(next) => onChange(next === FIXED ? '' : (next ?? ''))}
        allowDeselect={false}
      />
      {!isOfUser && <FilterValue {...props} />}
    </div>
  )
}
