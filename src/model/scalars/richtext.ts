/** A long text with markup (Markdown); kept as it was sent. */
import { textType } from './shared/text.ts'

export const richtext = textType()
