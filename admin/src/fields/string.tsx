/** A line of text. */
import { textField } from './shared/text-field.tsx'

export const string = textField()
