/** Texts of the history of a document. */
import type { Author } from '../../api/types.ts'

/** What was done, as a heading in the history of a document. */
const ACTIONS: Readonly<Record<string, string>> = {
  create: 'Created',
  update: 'Changed',
  publish: 'Published',
  unpublish: 'Unpublished',
  discard: 'Changes discarded',
  delete: 'Deleted',
}

const AUTHORS: Readonly<Record<string, string>> = {
  user: 'by a user',
  token: 'with an API token',
  public: 'by a visitor',
  system: 'by the server',
}
export const historyTexts = {
  open: 'History',
  title: 'History of this document',
  empty: 'Nothing has been saved yet.',
  more: 'Show older',
  noChanges: 'Nothing changed in what you can see.',
  moved: 'The order changed',
  restore: 'Restore this state as the draft',
  restoreTitle: 'Restore without your unsaved changes?',
  restoreText:
    'The form has changes that are not saved. They are lost when this state is restored. To keep them in the history, save first.',
  restoreAnyway: 'Restore',
  restored: (when: string) => `The draft is as it was on ${when}`,
  action: (action: string) => ACTIONS[action] ?? action,
  by: ({ kind, name }: Author, isMe: boolean) => {
    if (isMe) return 'by you'
    if (name === undefined || name === null) return AUTHORS[kind] ?? ''
    return kind === 'token' ? `with the API token ${name}` : `by ${name}`
  },
}
