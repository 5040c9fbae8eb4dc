/** A point in time, stored as a timestamp. */
import { instantField } from './shared/instant-field.tsx'

export const timestamp = instantField
