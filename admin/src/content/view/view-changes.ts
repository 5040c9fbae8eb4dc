/** What a person has changed of a view, as the server takes it. Pure. */
import type { TypeViewChanges } from '../../api/content/views.ts'
import type { FieldView, TypeView } from '../../api/types.ts'
import { isEqual } from '../../form/equal.ts'
import { labelFromName } from '../edit/form/labels.ts'

/** Only what differs is sent: what nobody has changed keeps following the defaults. */
export function changesOf(before: TypeView, after: TypeView): TypeViewChanges {
  const { label, mainField, columns, defaultSort, previewUrl, fields } = after
  return {
    ...(label !== before.label && { label: label.trim() === '' ? null : label.trim() }),
    ...(mainField !== before.mainField && { mainField }),
    ...(!isEqual(columns, before.columns) && { columns }),
    ...(defaultSort !== before.defaultSort && { defaultSort }),
    ...(previewUrl !== before.previewUrl && { previewUrl }),
    ...(!isEqual(fields, before.fields) && { fields: fields.map(fieldChanges) }),
  }
}

export const NO_VIEW: TypeViewChanges = {
  ...{ label: null, mainField: null, columns: null, defaultSort: null, previewUrl: null, fields: null },
}

/** Without what is the default of every field. */
function fieldChanges({ name, label, help, placeholder, width, hidden }: FieldView) {
  const given = label.trim()
  return {
    name,
    width,
    ...(given !== '' && given !== labelFromName(name) && { label: given }),
    ...(help !== null && help.trim() !== '' && { help: help.trim() }),
    ...(placeholder !== null && { placeholder }),
    ...(hidden && { hidden }),
  }
}
