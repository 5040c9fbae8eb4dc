/** What editors and authors may do on a new server. Admins can change it like the permissions of any role. */
import { FILE, USER } from '../../model/model.ts'
import { ANY_TYPE, type Permissions } from './permissions.ts'

const READ = ['find', 'findOne'] as const

const OWN = { createdBy: '$user.id' }

/** Enough to choose a user where a document refers to one. */
const PEOPLE = [{ action: 'find', fields: ['username'] }]

/** All content and files. */
export const EDITOR_PERMISSIONS: Permissions = {
  [ANY_TYPE]: [...READ, 'readHistory', 'create', 'update', 'delete'],
  [FILE]: [...READ, 'create', 'update', 'delete'],
  [USER]: PEOPLE,
}

/** Reads everything, because documents refer to those of others; changes own documents and files; publishes nothing. */
export const AUTHOR_PERMISSIONS: Permissions = {
  [ANY_TYPE]: [
    ...READ,
    'readHistory',
    'create',
    { action: 'update', filters: OWN },
    { action: 'delete', filters: OWN },
    '-publish',
  ],
  [FILE]: [...READ, 'create', { action: 'update', filters: OWN }, { action: 'delete', filters: OWN }],
  [USER]: PEOPLE,
}
