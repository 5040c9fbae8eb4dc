/** Long plain text. */
import { textType } from './shared/text.ts'

export const text = textType()
