/** The names of screens, which the navigation and other screens show. */
export const screenTexts = {
  media: 'Media',
  releases: 'Releases',
  model: 'Model',
  team: 'Team',
  roles: 'Roles',
  tokens: 'API tokens',
  users: 'End users',
  locales: 'Locales',
  webhooks: 'Webhooks',
  audit: 'Audit log',
  jobs: 'Jobs',
  deleted: 'Deleted documents',
  api: 'API page',
  view: 'Configure the view',
  about: 'About',
}
