/** Every text of the app, in English. Messages about values come from the server. */
import { accountTexts } from './texts/account.ts'
import { deletedTexts } from './texts/content/deleted.ts'
import { conflictTexts, documentLocaleTexts, editTexts, scheduleTexts } from './texts/content/edit.ts'
import { blocksTexts, fieldTexts, markdownTexts } from './texts/content/fields.ts'
import { filtersTexts } from './texts/content/filters.ts'
import { historyTexts } from './texts/content/history.ts'
import { bulkTexts, listTexts, operatorTexts } from './texts/content/list.ts'
import { errorTexts } from './texts/errors.ts'
import { homeTexts } from './texts/home.ts'
import { mediaTexts } from './texts/media.ts'
import { modelTexts } from './texts/model.ts'
import { releaseTexts } from './texts/releases.ts'
import { auditTexts } from './texts/settings/audit.ts'
import { jobTexts } from './texts/settings/jobs.ts'
import { settingsTexts } from './texts/settings/settings.ts'
import { webhookTexts } from './texts/settings/webhooks.ts'
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
  author: (kind: string, name: string | null | undefined) => name ?? NAMES[kind] ?? kind,
  yes: 'Yes',
  no: 'No',

  errors: errorTexts,
  account: accountTexts,
  navigation: navigationTexts,
  media: mediaTexts,
  releases: releaseTexts,
  settings: settingsTexts,
  model: modelTexts,

  palette: paletteTexts,
  shortcuts: shortcutTexts,
  home: homeTexts,
  filters: filtersTexts,
  webhooks: webhookTexts,
  audit: auditTexts,
  jobs: jobTexts,
  deleted: deletedTexts,

  status: { draft: 'Draft', modified: 'Modified', published: 'Published', missing: 'Missing' },

  list: listTexts,
  operators: operatorTexts,
  bulk: bulkTexts,
  edit: editTexts,
  history: historyTexts,
  schedule: scheduleTexts,
  conflict: conflictTexts,
  locales: documentLocaleTexts,
  fields: fieldTexts,
  blocks: blocksTexts,
  markdown: markdownTexts,
}
