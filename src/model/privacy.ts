/** Which attributes callers can see. Every layer uses these functions. */
import type { Attribute } from './model.ts'
import { scalarTypes } from './scalars/index.ts'

/**
 * Whether a query can use an attribute. Private attributes are for the server's own queries only; secrets, such as
 * passwords, are for none.
 */
export const isReadable = (attribute: Attribute, isTrusted: boolean): boolean =>
  (isTrusted || isPublic(attribute)) && !isSecret(attribute)

/** Whether responses show an attribute. */
export const isServed = (attribute: Attribute): boolean => isReadable(attribute, false)

/** Whether callers may learn that an attribute exists, for example because they can write it. */
export const isPublic = (attribute: Attribute): boolean => !attribute.private

/** Whether the value is stored as a hash and never leaves the server. */
export const isSecret = (attribute: Attribute): boolean =>
  attribute.kind === 'scalar' && scalarTypes[attribute.type].isSecret === true
