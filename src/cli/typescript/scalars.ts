/** The TypeScript types of scalar attributes, as the members of a union. */
import type { ScalarAttribute } from '../../model/model.ts'
import { scalarTypes } from '../../model/scalars/index.ts'
import { quoted } from './print.ts'

/** A value in a response. A published required attribute is never null. */
export function servedTypes(attribute: ScalarAttribute): readonly string[] {
  const { typescript } = scalarTypes[attribute.type].documentation
  const types = typescript.served(attribute, quoted)
  return attribute.required ? types : orNull(attribute, types)
}

/** A value in a request body, where null clears the attribute. */
export function sentTypes(attribute: ScalarAttribute): readonly string[] {
  const { typescript } = scalarTypes[attribute.type].documentation
  return orNull(attribute, typescript.sent ?? typescript.served(attribute, quoted))
}

const orNull = ({ type }: ScalarAttribute, types: readonly string[]): readonly string[] =>
  scalarTypes[type].documentation.includesNull ? types : [...types, 'null']
