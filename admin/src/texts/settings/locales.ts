/** The texts of locales. */

import { plural } from '../plural.ts'
import { screenTexts } from '../screens.ts'

export const localesTexts = {
  title: screenTexts.locales,
  text: 'The languages and regions that documents of localized content-types can be written in.',
  code: 'Code',
  codeHint:
    'Of the language, with the region where it matters, such as en or pt-BR. It cannot be changed later.',
  name: 'Name',
  nameHint: 'What people call it; its usual name if this is empty',
  default: 'Default',
  defaultHint: 'The locale of requests that name none.',
  add: 'Add locale',
  addTitle: 'New locale',
  addSubmit: 'Add locale',
  rename: 'Rename',
  renameTitle: (code: string) => `Name of ${code}`,
  renameSubmit: 'Save',
  makeDefault: 'Make it the default',
  isDefaultNow: (name: string) => `${name} is the default locale`,
  remove: 'Remove',
  removeTitle: (code: string) => `Remove ${code}?`,
  removeEmpty: 'No document has content in this locale.',
  removeText: 'What is written in this locale is no longer listed here and cannot be changed:',
  documentsOf: (count: number, label: string) => `${label}: ${plural(count, 'document', 'documents')}`,
  removeKept:
    'It stays in the database, and requests that name the locale still return it. To delete it, do so in the lists first. It is back when the locale is added again.',
  typeCode: (code: string) => `Type ${code} to confirm`,
  file: 'Changes are written to config/locales.json in the project folder, and apply immediately.',
  readOnly: (reason: string) => `${reason}.`,
  localized: 'Localized content-types',
  none: 'No content-type is localized. Turn it on in the model, in the options of a content-type.',
}
