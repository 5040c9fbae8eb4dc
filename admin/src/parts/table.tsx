/** A table of a few columns whose rows are read, not edited. On a phone the less important columns are hidden. */
import type { CSSProperties, ReactNode } from 'react'
import styles from './table.module.css'

interface Column {
  /** Empty for a column of buttons, which needs no heading. */
  readonly label: string
  /** Hidden on a phone. */
  readonly isSecondary?: boolean
  /** Such as `40%`; as wide as its content without it, and on a phone. */
  readonly width?: string
}

interface TableProps {
  readonly label: string
  readonly columns: readonly Column[]
  /** The rows: `<tr>` with `<Cell>`s. */
  readonly children: ReactNode
}

export function Table({ label, columns, children }: TableProps) {
  return (
    <table className={styles.table} aria-label={label}>
      <thead>
        <tr>
          {columns.map(({ label: heading, isSecondary, width }) =>
            heading === '' ? (
              <td key={heading} />
            ) : (
              <th key={heading} scope="col" data-secondary={isSecondary} style={widthOf(width)}>
                {heading}
              </th>
            ),
          )}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  )
}

const widthOf = (width = 'auto'): CSSProperties & Record<'--width', string> => ({ '--width': width })

interface CellProps {
  readonly isSecondary?: boolean
  /** For numbers and times, which are not broken into lines. */
  readonly isShort?: boolean
  readonly isMuted?: boolean
  /** For switches, which have no line of text to align with. */
  readonly isMiddle?: boolean
  readonly children?: ReactNode
}

export const Cell = ({ isSecondary, isShort, isMuted, isMiddle, children }: CellProps) => (
  <td data-secondary={isSecondary} data-short={isShort} data-muted={isMuted} data-middle={isMiddle}>
    {children}
  </td>
)
