/**
 * The texts of the first list, of the editor and of what all screens share, in English. Other screens import their texts from
 * `texts/`, so that they are loaded with them. Messages about values come from the server.
 */
import { accountTexts } from './texts/account.ts'
import {
  conflictTexts,
  documentLocaleTexts,
  editTexts,
  goneTexts,
  scheduleTexts,
} from './texts/content/edit.ts'
import { blocksTexts, fieldTexts, markdownTexts } from './texts/content/fields.ts'
import { filtersTexts } from './texts/content/filters.ts'
import { bulkTexts, listTexts, operatorTexts, timeOperatorTexts } from './texts/content/list.ts'
import { errorTexts } from './texts/errors.ts'
import { screenTexts } from './texts/screens.ts'
import { navigationTexts, paletteTexts, shortcutTexts } from './texts/shell.ts'

/** The names of those who are not users. */
const NAMES: Readonly<Record<string, string>> = {
  user: 'a former user',
  token: 'a former API token',
  public: 'a visitor',
  system: 'the server',
}

export const texts = {
  product: 'Octavo',
  skipToContent: 'Skip to content',
  loading: 'Loading…',
  cancel: 'Cancel',
  close: 'Close',
  retry: 'Try again',
  none: 'None',
  copyFailed: (text: string) => `This browser does not let the app copy. Select it here: ${text}`,
  author: (kind: string, name: string | null | undefined) => name ?? NAMES[kind] ?? kind,
  yes: 'Yes',
  no: 'No',

  errors: errorTexts,
  account: accountTexts,
  navigation: navigationTexts,
  screens: screenTexts,

  palette: paletteTexts,
  shortcuts: shortcutTexts,
  filters: filtersTexts,

  status: { draft: 'Draft', modified: 'Modified', published: 'Published', missing: 'Missing' },

  list: listTexts,
  operators: operatorTexts,
  timeOperators: timeOperatorTexts,
  bulk: bulkTexts,
  edit: editTexts,
  schedule: scheduleTexts,
  conflict: conflictTexts,
  gone: goneTexts,
  locales: documentLocaleTexts,
  fields: fieldTexts,
  blocks: blocksTexts,
  markdown: markdownTexts,
}
