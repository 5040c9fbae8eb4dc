/** Long text with markup (Markdown), stored as it was sent. */
import { textType } from './shared/text.ts'

export const richtext = textType({ schema: { description: 'Markdown.' } })
