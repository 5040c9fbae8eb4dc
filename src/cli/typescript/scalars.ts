/** The TypeScript types of scalar attributes. */
import type { ScalarAttribute } from '../../model/model.ts'
import { quoted } from './print.ts'

/** The type of a value that is there, as parts of a union. */
export function valueTypes({ type, enum: words }: ScalarAttribute): readonly string[] {
  switch (type) {
    case 'integer':
    case 'float':
    case 'decimal':
      return ['number']
    case 'boolean':
      return ['boolean']
    case 'enumeration':
      return words.map(quoted)
    case 'json':
      return ['Json']
    case 'blocks':
      return ['Blocks']
    default:
      return ['string']
  }
}

/** Bodies take exact whole numbers in either form, and instants as dates. */
export function inputTypes(attribute: ScalarAttribute): readonly string[] {
  switch (attribute.type) {
    case 'biginteger':
      return ['string', 'number']
    case 'datetime':
    case 'timestamp':
      return ['string', 'Date']
    default:
      return valueTypes(attribute)
  }
}

/** With null among them; any JSON has it already. */
export const orNull = (types: readonly string[]): readonly string[] =>
  types.includes('Json') ? types : [...types, 'null']
