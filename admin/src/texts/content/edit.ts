/** Texts of the editor of a document. */

import { plural } from '../plural.ts'
import { deletionText } from './deletion.ts'

export const editTexts = {
  save: 'Save',
  saved: 'Saved',
  saving: 'Saving…',
  publish: 'Publish',
  published: 'Published',
  unpublish: 'Unpublish',
  unpublished: 'Unpublished',
  discard: 'Discard changes',
  discardTitle: 'Discard the changes?',
  discardText: 'The draft becomes the published version again. What you have not saved is lost.',
  discarded: 'The draft is the published version again',
  duplicate: 'Duplicate',
  duplicated: (locale: string | undefined) =>
    locale === undefined ? 'Duplicated' : `Duplicated in ${locale}. Other locales are not copied.`,
  duplicateTitle: 'Duplicate with your changes?',
  duplicateText:
    'Your latest changes are not saved. Without saving, the copy does not have them; they are restored when you open this document again.',
  duplicateSaved: 'Without them',
  saveAndDuplicate: 'Save and duplicate',
  delete: 'Delete',
  deleted: 'Deleted',
  deleteTitle: 'Delete this document?',
  deleteText: (canRestore: boolean) => deletionText(canRestore),
  deleteLocale: (locale: string) => `Delete only ${locale}`,
  deleteAll: 'Delete in all locales',
  usedBy: (count: number) => `Used by ${plural(count, 'document', 'documents')}`,
  usedByHint: 'These documents refer to it and would lose the reference:',
  moreUses: (count: number) => `and ${count.toLocaleString()} more`,
  copyUrl: 'Copy API URL',
  copyCurl: 'Copy as cURL',
  copied: 'Copied',
  json: 'Show as JSON',
  more: 'More actions',
  undo: 'Undo',
  redo: 'Redo',
  unsaved: 'Unsaved changes',
  allSaved: 'All changes saved',
  inDrawer: (type: string) => `Related ${type}`,
  newDocument: (name: string) => `New ${name}`,
  backTo: (name: string) => `Back to ${name}`,
  problems: (count: number) => plural(count, 'problem', 'problems'),
  problemsHint: 'The server refused these values:',
  restored: (when: string) => `Your unsaved changes from ${when} are back.`,
  discardRestored: 'Discard them',
  staleRestored: 'The document has been changed since. You can compare both when you save.',
  leaveTitle: 'Leave without saving?',
  details: 'Details',
  createdLine: (who: string, when: string) => `Created ${when}${who === '' ? '' : ` by ${who}`}`,
  updatedLine: (who: string, when: string) => `Changed ${when}${who === '' ? '' : ` by ${who}`}`,
  publishedLine: (when: string) => `Published ${when}`,
  alsoHere: (names: string) => `${names} also has this open`,
  alsoEditing: (names: string) => `${names} is editing this now`,
  notSaved: 'Not saved yet. The API serves it once it is saved.',
  notSavedDraft: 'Not saved yet. Save keeps a draft; the API serves it once it is published.',
  readOnly: 'You may read this document, but not change it.',
  preview: 'Preview',
  previewOf: (title: string) => `Preview of ${title}`,
  reload: 'Reload',
  sharedValue: 'The same in all locales',
}

export const scheduleTexts = {
  open: 'Schedule',
  title: 'Publish at a set time',
  text: 'The server publishes the draft as it is at that time, and unpublishes it if you set an end.',
  publishAt: 'Publish at',
  unpublishAt: 'Unpublish at',
  save: 'Save the schedule',
  saved: 'The schedule is saved',
  cancel: 'Cancel the schedule',
  publishes: (when: string) => `Will be published ${when}`,
  unpublishes: (when: string) => `Will be unpublished ${when}`,
}

export const conflictTexts = {
  title: 'This document has changed in the meantime',
  text: 'Someone saved another version while you were editing. Choose what to keep in each field that both of you changed.',
  textNoOverlap:
    'Someone saved another version while you were editing, but in other fields. Both can be kept.',
  mine: 'Yours',
  theirs: 'Theirs',
  by: (who: string, when: string) => `${who}, ${when}`,
  keep: 'Keep chosen values and save',
  empty: 'empty',
}

/** When someone has deleted the document that is open. */
export const goneTexts = {
  title: 'This document was deleted',
  text: 'Someone deleted it while you were editing. Nothing that you wrote is lost: you can create the document again from this form. It gets a new id, so other documents do not refer to it.',
  textReadOnly:
    'Someone deleted it while you were editing, and you may not create it again. What you wrote stays in the form and in this browser, so you can copy it.',
  restoreHint:
    'To have the deleted document back with its id, restore it first: in the list, under Views → Deleted documents. Then open it again; your changes are restored with it.',
  back: 'Back to the form',
  create: 'Create it again',
  restored: 'The document was deleted; saving creates it again, with a new id.',
}

export const documentLocaleTexts = {
  label: 'Locale',
  compare: 'Compare with',
  noCompare: 'No comparison',
  fill: (from: string) => `Fill from ${from}`,
  fillAll: (from: string) => `Fill all from ${from}`,
  missing: (locale: string) =>
    `There is no ${locale} version yet. Write one, or fill it from another locale.`,
  show: (locale: string) => `In ${locale}`,
}
