/** What becomes of a deleted document: the history, where it is on, can restore it. */
export const deletionText = (canRestore: boolean): string =>
  canRestore ? 'You can restore deleted documents from the Views menu of the list.' : 'This cannot be undone.'
