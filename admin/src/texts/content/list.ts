/** Texts of lists of documents. */

import { plural } from '../plural.ts'
import { deletionText } from './deletion.ts'

export const listTexts = {
  create: (name: string) => `New ${name}`,
  count: (count: number) => plural(count, 'document', 'documents'),
  search: 'Search',
  clearSearch: 'Clear the search',
  filter: 'Filter',
  addFilter: 'Add filter',
  addGroup: 'Add group',
  removeFilter: 'Remove this filter',
  clearFilters: 'Clear all',
  apply: 'Apply',
  matchAll: 'all of',
  matchAny: 'any of',
  match: 'Documents that match',
  attribute: 'Attribute',
  operator: 'Condition',
  value: 'Value',
  columns: 'Columns',
  locale: 'Locale',
  sortBy: (label: string) => `Sort by ${label}`,
  selectAll: 'Select all loaded documents',
  select: (title: string) => `Select ${title}`,
  selected: (count: number) => `${plural(count, 'document', 'documents')} selected`,
  clearSelection: 'Clear the selection',
  empty: (name: string) => `No ${name} yet`,
  emptyHint: 'Create the first one to see it here and in the API.',
  noMatch: 'No document matches',
  noMatchHint: 'Change the search or the filters.',
  status: 'Status',
  updatedAt: 'Changed',
  createdAt: 'Created',
  publishedAt: 'Published',
  updatedBy: 'Changed by',
  createdBy: 'Created by',
  documentId: 'Document id',
  locales: 'Locales',
  loadingMore: 'Loading more…',
  untitled: 'Untitled',
  resize: (label: string) => `Resize ${label}`,
  moveLeft: 'Move left',
  moveRight: 'Move right',
  views: 'Views',
  allDocuments: 'All documents',
  saveView: 'Save this view',
  viewName: 'Name of the view',
  shareView: 'For everyone',
  deleteView: (name: string) => `Delete the view ${name}`,
  viewDeleted: (name: string) => `View “${name}” deleted`,
  viewSaved: (name: string) => `View “${name}” saved`,
  exportCsv: 'Export as CSV',
  exportJson: 'Export as JSON',
}

/** The conditions of a filter. */
export const operatorTexts = {
  $eq: 'is',
  $ne: 'is not',
  $containsi: 'contains',
  $notContainsi: 'does not contain',
  $startsWithi: 'starts with',
  $endsWithi: 'ends with',
  $gt: 'is more than',
  $gte: 'is at least',
  $lt: 'is less than',
  $lte: 'is at most',
  $null: 'is empty',
  $notNull: 'is not empty',
}

/** Those that compare dates and times. */
export const timeOperatorTexts = {
  $gt: 'is after',
  $gte: 'is at or after',
  $lt: 'is before',
  $lte: 'is at or before',
}

/** What is done with several documents. */
export const bulkTexts = {
  addToRelease: 'Add to release',
  publish: 'Publish',
  unpublish: 'Unpublish',
  discard: 'Discard changes',
  duplicate: 'Duplicate',
  delete: 'Delete',
  edit: 'Edit',
  editTitle: (count: number) => `Edit ${plural(count, 'document', 'documents')}`,
  fields: 'Fields',
  fieldsHelp: 'Each of these fields gets the same value in every selected document.',
  draftsHelp:
    'Each of these fields gets the same value in the draft of every selected document. Nothing is published.',
  change: (count: number) => `Change ${plural(count, 'document', 'documents')}`,
  confirmDelete: (count: number) => `Delete ${plural(count, 'document', 'documents')}?`,
  confirmDeleteText: (canRestore: boolean) => `They are deleted in all locales. ${deletionText(canRestore)}`,
  done: (count: number) => `${plural(count, 'document', 'documents')} done`,
  failed: (count: number) => `${plural(count, 'document', 'documents')} could not be changed`,
}
