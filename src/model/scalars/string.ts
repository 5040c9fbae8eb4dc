/** Short text: at most 255 characters unless the schema sets `maxLength`. */
import { textType } from './shared/text.ts'

export const string = textType({ isShort: true })
