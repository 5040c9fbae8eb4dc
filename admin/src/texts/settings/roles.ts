/** The texts of roles and their permissions. */
import { screenTexts } from '../screens.ts'

const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`

export const rolesTexts = {
  title: screenTexts.roles,
  text: 'What people, programs and visitors may do. Everything is private until a role permits it.',
  create: 'New role',
  createTitle: 'New role',
  createSubmit: 'Create role',
  name: 'Name',
  type: 'Identifier',
  typeHint: 'Used in the configuration and in the API. It cannot be changed later.',
  description: 'Description',
  save: 'Save',
  role: 'Role',
  users: 'Users',
  signsInTo: 'Signs in to',
  access: { api: 'the API', app: 'the app and the API', admin: 'the app, for everything' },
  visitors: 'nobody signs in',
  back: 'All roles',
  rename: 'Rename',
  renameTitle: (name: string) => `Rename ${name}`,
  delete: 'Delete',
  deleteTitle: (name: string) => `Delete the role ${name}?`,
  deleteText: (users: number) =>
    users === 0
      ? 'Its permissions are deleted. This cannot be undone.'
      : `Its permissions are deleted, and ${plural(users, 'user is', 'users are')} left without a role. This cannot be undone.`,

  adminNote:
    'In this app, admins may do everything. The permissions below apply when an admin signs in to the content API.',
  publicNote: 'Everyone who sends no credentials has this role. Leave out drafts unless they may be public.',
  configured: 'Set in the configuration',
  configuredNote:
    'config/roles.json sets the permissions with a lock at each start. Changes made here work until then; change the file to keep them.',
  untilRestart: 'Saved. Permissions that the configuration sets apply again at the next start.',

  contentType: 'Content-type',
  anyType: 'All other content-types',
  anyTypeHint: 'Those in grey, and new ones',
  asAnyType: 'as all other content-types',
  useAnyType: 'Use those of all other content-types',
  groups: { content: 'Content', system: 'Files, users and model' },
  builtIn: {
    'plugin::upload.file': 'Files',
    'plugin::users-permissions.user': 'Users',
    'plugin::users-permissions.role': 'Roles',
    'plugin::i18n.locale': 'Locales',
    'plugin::content-type-builder.content-type': 'Content-types',
    'plugin::content-type-builder.component': 'Components',
  },
  actions: {
    find: 'List',
    findOne: 'Read one',
    create: 'Create',
    update: 'Update',
    delete: 'Delete',
    readDrafts: 'Drafts',
    publish: 'Publish',
    unpublish: 'Unpublish',
    discard: 'Discard',
    readHistory: 'History',
  },
  states: {
    none: 'not permitted',
    granted: 'permitted',
    implied: 'permitted with another action',
    restricted: 'permitted with conditions',
  },
  cell: (action: string, type: string, state: string) => `${action}, ${type}: ${state}`,
  legend: 'Select a cell to permit or deny an action, and a content-type to set conditions.',
  changed: (count: number) => `${plural(count, 'content-type', 'content-types')} changed`,
  discard: 'Discard',
  leaveTitle: 'Leave without saving?',

  conditionsOf: (type: string) => `Permissions on ${type}`,
  apply: 'Apply',
  documents: 'Documents',
  allDocuments: 'All documents',
  someDocuments: 'Documents that match',
  attributes: 'Attributes',
  allAttributes: 'All attributes',
  someAttributes: 'Some attributes',
  chooseAttributes: 'Choose attributes',
  impliedBy: 'Permitted because of another action, with its conditions.',
  incomplete: 'Complete the condition, or permit all documents.',
  noAttributes: 'Choose at least one attribute, or permit all.',
  valid: 'The server accepts this rule.',
  checking: 'Checking…',
  compareWith: 'Compare with',
  fixedValue: 'a value',
  userValues: {
    '$user.id': "the user's id",
    '$user.documentId': "the user's document id",
    '$user.username': "the user's name",
    '$user.email': "the user's e-mail",
    '$user.role': "the user's role",
  },
  ids: { id: 'id', documentId: 'document id' },

  seeAs: 'See as this role',
  seeAsTitle: (role: string) => `What ${role} sees`,
  seeAsText:
    'The response of the content API to a caller with this role. Save changes first to see their effect.',
  seeAsUser: 'As the user',
  nobody: 'No particular user',
  published: 'Published',
  drafts: 'Drafts',
  sees: (shown: number, total: number) =>
    total > shown
      ? `The first ${shown} of ${total.toLocaleString('en')} documents`
      : plural(total, 'document', 'documents'),
  seesNothing: 'No document is visible to this role.',
  seesNotPermitted: 'This role may not list these documents: the API responds with 403.',
  seesEmpty: 'The document of this single type does not exist, or is not visible to this role.',
}
