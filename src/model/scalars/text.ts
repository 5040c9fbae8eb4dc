/** A long plain text. */
import { textual } from './textual.ts'

export const text = textual()
