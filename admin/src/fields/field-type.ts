/** What an attribute type is in the app: how its values are edited, shown in a list, and filtered. */
import type { ComponentType } from 'react'
import type { AttributeView } from '../api/types.ts'
import type { FormPath } from '../form/path.ts'

export interface FieldProps {
  readonly path: FormPath
  readonly attribute: AttributeView
  readonly label: string
  readonly help: string | null
  readonly placeholder: string | null
  readonly isReadOnly: boolean
}

export interface CellProps {
  readonly value: unknown
  readonly attribute: AttributeView
}

export type Operator =
  | '$eq'
  | '$ne'
  | '$containsi'
  | '$notContainsi'
  | '$startsWithi'
  | '$endsWithi'
  | '$gt'
  | '$gte'
  | '$lt'
  | '$lte'
  | '$null'
  | '$notNull'

/** How a value to compare with is entered. */
export type FilterInput =
  | 'text'
  | 'number'
  | 'date'
  | 'datetime-local'
  | 'time'
  | 'boolean'
  | 'choice'
  | 'document'

export interface FieldFilter {
  readonly operators: readonly Operator[]
  readonly input: FilterInput
}

export interface FieldType {
  readonly Edit: ComponentType<FieldProps>
  /** The value in a list; without it, the summary is shown. */
  readonly Cell?: ComponentType<CellProps>
  /** The value as one line of plain text; empty when there is nothing to say. */
  summary(value: unknown, attribute: AttributeView): string
  /** Null when lists cannot be filtered by it. */
  readonly filter: FieldFilter | null
  readonly isSortable: boolean
  /** Whether the editor needs the whole width of the form. */
  readonly isWide: boolean
}
