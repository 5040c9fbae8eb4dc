/** Texts of the editors of attributes. */
import { plural } from '../plural.ts'

export const fieldTexts = {
  required: 'required',
  empty: 'Empty',
  add: (name: string) => `Add ${name}`,
  addEntry: 'Add entry',
  addBlock: 'Add component',
  searchComponents: 'Search components…',
  remove: 'Remove',
  moveUp: 'Move up',
  moveDown: 'Move down',
  duplicate: 'Duplicate',
  copy: 'Copy',
  paste: 'Paste entry',
  drag: 'Drag to reorder',
  open: 'Open',
  collapse: 'Collapse',
  collapseAll: 'Collapse all',
  entries: (count: number) => plural(count, 'entry', 'entries'),
  createRelated: (type: string) => `New ${type}`,
  editRelated: (title: string) => `Edit ${title}`,
  searchRelated: 'Search to add…',
  searchOne: 'Search…',
  noRelated: 'No matching document',
  allRelatedChosen: 'All that were found are in the list already. Search for another one.',
  openRelated: 'Open',
  chooseFile: 'Choose from library',
  upload: 'Upload',
  dropHint: 'Drop files here, or',
  uploading: (name: string) => `Uploading ${name}…`,
  replace: 'Replace',
  library: 'Media library',
  searchFiles: 'Search files',
  noFiles: 'No files',
  choose: (count: number) => (count === 0 ? 'Choose' : `Choose ${plural(count, 'file', 'files')}`),
  loadMore: 'Load more',
  generate: 'Generate',
  noSource: 'The text that this is made from is empty.',
  noSlug:
    'Only Latin, Greek and Cyrillic letters and digits can be used, and the text has none. Write one yourself.',
  imagesLeftOut: (count: number) =>
    count === 1
      ? 'An image was left out. Upload it to the media library to use it.'
      : `${count} images were left out. Upload them to the media library to use them.`,
  invalidJson: 'This is not valid JSON',
  inexactNumber: (number: string) =>
    `The number ${number} would lose digits. Write it as a string, in quotation marks.`,
  passwordHint: 'Stored as a hash. Leave empty to keep the current one.',
  notEditable: 'You may not change this value.',
  true: 'Yes',
  false: 'No',
  unset: 'Not set',
  characters: (used: number, max: number) => `${used} of ${max} characters`,
  now: 'Now',
  clear: 'Clear',
}

/** The toolbar of the blocks editor. */
export const blocksTexts = {
  toolbar: 'Formatting',
  paragraph: 'Text',
  heading: (level: number) => `Heading ${level}`,
  quote: 'Quote',
  code: 'Code block',
  bold: 'Bold',
  italic: 'Italic',
  underline: 'Underline',
  strikethrough: 'Strikethrough',
  inlineCode: 'Code',
  link: 'Link',
  linkUrl: 'Address of the link',
  setLink: 'Set link',
  removeLink: 'Remove link',
  bulletList: 'Bulleted list',
  numberedList: 'Numbered list',
  image: 'Image',
  unknown: (type: string) => `Block of type ${type}, kept as it is`,
  blockType: 'Kind of block',
}

/** The toolbar of the Markdown editor. */
export const markdownTexts = {
  bold: 'Bold',
  italic: 'Italic',
  link: 'Link',
  heading: 'Heading',
  list: 'List',
  quote: 'Quote',
  code: 'Code',
  toolbar: 'Markdown',
}
