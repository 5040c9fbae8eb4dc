/** Texts of the frame: navigation, command palette and keyboard shortcuts. */

export const navigationTexts = {
  label: 'Main',
  open: 'Open navigation',
  home: 'Home',
  content: 'Content',
  singles: 'Single pages',
  search: 'Search',
  colorScheme: 'Appearance',
  light: 'Light',
  dark: 'Dark',
  auto: 'Same as system',
  shortcuts: 'Keyboard shortcuts',
  apiReference: 'API reference',
  account: 'Your account',
  places: 'Project',
  settings: 'Settings',
  settingsGroups: { access: 'Access', content: 'Content', server: 'Server' },
}

export const paletteTexts = {
  placeholder: 'Go to, create, or search content…',
  goTo: 'Go to',
  create: 'Create',
  documents: 'Documents',
  actions: 'Actions',
  nothing: 'Nothing found',
  createOne: (name: string) => `New ${name}`,
}

export const shortcutTexts = {
  title: 'Keyboard shortcuts',
  palette: 'Command palette',
  save: 'Save',
  publish: 'Publish',
  undo: 'Undo',
  redo: 'Redo',
  help: 'This list',
  searchList: 'Search the list',
  create: 'Create a document',
}
