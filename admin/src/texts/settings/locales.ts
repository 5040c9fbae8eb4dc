/** The texts of locales. */
export const localesTexts = {
  title: 'Locales',
  text: 'The languages and regions that documents of localized content-types can be written in.',
  code: 'Code',
  name: 'Name',
  default: 'Default',
  file: 'Contents of the file',
  fixed: 'Locales are set in the project folder, so that every server of the project has the same:',
  restart:
    'Changes apply after a restart. What is written in a locale that is removed can no longer be requested.',
  localized: 'Localized content-types',
  none: 'No content-type is localized. Set pluginOptions.i18n.localized in its schema.',
}
