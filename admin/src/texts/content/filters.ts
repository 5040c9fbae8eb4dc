/** The texts of filters that are edited as conditions or as JSON. */
export const filtersTexts = {
  asJson: 'Edit as JSON',
  asConditions: 'Edit as conditions',
  json: 'Filters as JSON',
  invalidJson: 'This is not a JSON object.',
}
