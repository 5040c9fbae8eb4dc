/** A long text with markup (Markdown); kept as it was sent. */
import { textual } from './textual.ts'

export const richtext = textual()
