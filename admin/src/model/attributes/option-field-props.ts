/** What the input of an option of an attribute gets, whatever its kind. */
import type { AttributeSchema, Schema } from '../draft/schema.ts'
import type { Option } from './option.ts'

export interface OptionFieldProps<Kind extends Option = Option> {
  readonly option: Kind
  readonly attribute: AttributeSchema
  /** The type or component that has the attribute. */
  readonly schema: Schema
  /** The name of the attribute as it is entered, and the one it has. */
  readonly name: string
  readonly previous: string | null
  readonly onChange: (attribute: AttributeSchema) => void
  readonly problemAt: (key: string) => string | undefined
}
