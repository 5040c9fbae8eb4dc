/** A point in time, stored as a timestamp. */
import { instantField } from './instant-field.tsx'

export const timestamp = instantField
