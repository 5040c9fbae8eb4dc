/** The texts of the settings. */
import { screenTexts } from '../screens.ts'
import { localesTexts } from './locales.ts'
import { rolesTexts } from './roles.ts'
import { teamTexts } from './team.ts'
import { tokensTexts } from './tokens.ts'
import { usersTexts } from './users.ts'

export const settingsTexts = {
  title: 'Settings',
  copy: 'Copy',
  copied: 'Copied',
  more: (name: string) => `Actions for ${name}`,
  saved: 'Saved',
  role: 'Role',
  actions: 'Actions',

  team: teamTexts,
  roles: rolesTexts,
  tokens: tokensTexts,
  users: usersTexts,
  locales: localesTexts,

  about: {
    title: screenTexts.about,
    project: 'Project',
    unnamed: 'without a name in package.json',
    version: 'Octavo',
    database: 'Database',
    databases: { sqlite: 'SQLite', postgres: 'PostgreSQL' },
    node: 'Node.js',
    mode: 'Mode',
    production: 'Production',
    development: 'Development',
    address: 'Address',
    reference: 'API reference',
    referenceText: 'Every endpoint of this project, with examples to try.',
    openapi: 'OpenAPI document',
    openapiText: 'The same for programs: generate clients and tests from it.',
  },
}
