/** An e-mail address. */
import { textField } from './text-field.tsx'

export const email = textField({ type: 'text', inputMode: 'email' })
