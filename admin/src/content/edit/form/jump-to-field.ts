/** Shows the field at a path of the form and puts the cursor into it. */
import { inputId } from '../../../fields/shared/use-field.ts'
import type { OpenRows } from '../../../form/open-rows.ts'
import type { FormPath } from '../../../form/path.ts'

export function jumpToField(openRows: OpenRows, path: FormPath): void {
  openRows.openAround(path)
  // The fields of an entry are in the page after it has opened.
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      const field = document.getElementById(inputId(path))
      field?.scrollIntoView({ block: 'center' })
      field?.focus()
    }),
  )
}
