/** A point in time. */
import { instantField } from './shared/instant-field.tsx'

export const datetime = instantField
