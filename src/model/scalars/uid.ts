/** Text that can be part of a path: unique within a locale, made of letters, digits and `-_.~`. */
import type { ScalarType } from '../scalar-type.ts'
import { textType } from './shared/text.ts'

export const uid: ScalarType = {
  ...textType({
    isShort: true,
    check: (text) =>
      /^[A-Za-z0-9\-_.~]*$/.test(text) ? null : 'may only contain letters, digits and the characters - _ . ~',
    sentSchema: { pattern: '^[A-Za-z0-9\\-_.~]*$' },
    example: (name) => name.replaceAll('_', '-'),
  }),
  isNullWhenEmpty: true,
  optionKeys: ['targetField'],
  readOptions: (schema) => ({
    unique: true,
    targetField: schema.string('targetField'),
    generate: schema.object('options').boolean('generate'),
  }),
}
