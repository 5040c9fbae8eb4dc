/** The texts of deleted documents. */
import { screenTexts } from '../screens.ts'
export const deletedTexts = {
  open: screenTexts.deleted,
  title: (name: string) => `Deleted: ${name}`,
  text: 'They can be restored while their history is kept, with the same document id. Relations of other documents to them do not come back.',
  back: (name: string) => `Back to ${name}`,
  columns: { title: 'Document', locale: 'Locale', by: 'Deleted', actions: '' },
  empty: 'Nothing was deleted',
  emptyHint: 'Deleted documents are listed here while their history is kept.',
  show: (title: string) => `Show ${title}`,
  restore: 'Restore',
  restoreOf: (title: string) => `Restore ${title}`,
  restored: (title: string) => `“${title}” is restored as a draft`,
  notRestored: 'Some values could not be restored',
  showOlder: 'Show older',
}
