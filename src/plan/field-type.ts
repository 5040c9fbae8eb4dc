/** The attribute type of a field; the numeric id of a row is an integer. */
import type { ScalarType } from '../model/scalar-type.ts'
import { ID_TYPE, scalarTypes } from '../model/scalars/index.ts'
import type { Field } from './query-tree.ts'

export const fieldType = ({ type }: Pick<Field, 'type'>): ScalarType =>
  scalarTypes[type === 'id' ? ID_TYPE : type]
