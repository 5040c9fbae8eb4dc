/** Content-types by actions. A cell permits or denies an action; a content-type opens its conditions. */
import { Tooltip } from '@mantine/core'
import { IconCheck, IconFilter, IconLock, IconMinus } from '@tabler/icons-react'
import type { Permission, Permissions } from '../../../api/settings/roles.ts'
import { settingsTexts } from '../../../texts/settings/settings.ts'
import { type Cell, cellOf, grant, hasOwnPermissions, permissionsFor, revoke } from './permission-cells.ts'
import styles from './permission-matrix.module.css'
import { ACTIONS, type PermissionType } from './permission-types.ts'

const { roles: words } = settingsTexts
const ICON = { size: 15, stroke: 2, 'aria-hidden': true } as const

interface PermissionMatrixProps {
  readonly types: readonly PermissionType[]
  readonly title: string
  readonly permissions: Permissions
  readonly configured: readonly string[]
  readonly onChange: (uid: string, list: readonly Permission[]) => void
  readonly onOpen: (type: PermissionType) => void
}

export function PermissionMatrix({ types, title, ...rest }: PermissionMatrixProps) {
  return (
    <section className={styles.scroller} aria-label={title}>
      <table className={styles.matrix}>
        <thead>
          <tr>
            <th scope="col">{title}</th>
            {ACTIONS.map((action) => (
              <th key={action} scope="col">
                {words.actions[action]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {types.map((type) => (
            <TypeRow key={type.uid} type={type} {...rest} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

type TypeRowProps = Omit<PermissionMatrixProps, 'types' | 'title'> & { readonly type: PermissionType }

function TypeRow({ type, permissions, configured, onChange, onOpen }: TypeRowProps) {
  const list = permissionsFor(permissions, type.uid)
  const isInherited = !hasOwnPermissions(permissions, type.uid) && list.length > 0
  return (
    <tr className={isInherited ? styles.inherited : undefined}>
      <th scope="row">
        <button type="button" className={styles.type} onClick={() => onOpen(type)}>
          {type.label}
        </button>
        {configured.includes(type.uid) && (
          <Tooltip label={words.configured}>
            <IconLock size={13} stroke={1.5} aria-label={words.configured} className={styles.lock} />
          </Tooltip>
        )}
        {isInherited && <span className="visually-hidden">{words.asAnyType}</span>}
        {type.uid === '*' && <div className={styles.hint}>{words.anyTypeHint}</div>}
      </th>
      {ACTIONS.map((action) => (
        <td key={action}>
          {type.actions.includes(action) && (
            <CellButton
              cell={cellOf(list, action)}
              label={(state) => words.cell(words.actions[action], type.label, state)}
              onToggle={(isPermitted) =>
                onChange(type.uid, isPermitted ? grant(list, action) : revoke(list, action))
              }
              onOpen={() => onOpen(type)}
            />
          )}
        </td>
      ))}
    </tr>
  )
}

interface CellButtonProps {
  readonly cell: Cell
  readonly label: (state: string) => string
  readonly onToggle: (isPermitted: boolean) => void
  readonly onOpen: () => void
}

/** A cell with conditions opens them: one press must not lose what took a while to write. */
function CellButton({ cell, label, onToggle, onOpen }: CellButtonProps) {
  const isImplied = cell.kind !== 'none' && cell.isImplied
  const state = cell.kind === 'granted' && isImplied ? 'implied' : cell.kind
  return (
    // biome-ignore lint/a11y/useSemanticElements: a cell has three states and opens its conditions.
    <button
      type="button"
      role="checkbox"
      aria-checked={cell.kind === 'none' ? 'false' : cell.kind === 'granted' ? 'true' : 'mixed'}
      aria-label={label(words.states[state])}
      title={words.states[state]}
      className={[styles.cell, styles[cell.kind], isImplied && styles.implied].filter(Boolean).join(' ')}
      onClick={() => (cell.kind === 'restricted' && !isImplied ? onOpen() : onToggle(cell.kind === 'none'))}
    >
      {cell.kind === 'granted' ? (
        <IconCheck {...ICON} />
      ) : cell.kind === 'restricted' ? (
        <IconFilter {...ICON} />
      ) : (
        <IconMinus {...ICON} />
      )}
    </button>
  )
}
