/** A line of text. */
import { textField } from './text-field.tsx'

export const string = textField()
