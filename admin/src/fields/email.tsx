/** An e-mail address. */
import { textField } from './shared/text-field.tsx'

export const email = textField({ type: 'text', inputMode: 'email' })
