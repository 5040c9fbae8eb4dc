/** A point in time. */
import { instantField } from './instant-field.tsx'

export const datetime = instantField
