/** Tells people about images that they pasted where only text can be. */
import { notifications } from '@mantine/notifications'
import { texts } from '../../texts.ts'

export function reportImages(count: number): void {
  if (count > 0) notifications.show({ message: texts.fields.imagesLeftOut(count), autoClose: 8_000 })
}

/** Of a picture that was copied as a file, such as a screenshot. */
export const imageFiles = (clipboard: DataTransfer | null): number =>
  clipboard && !clipboard.types.some((type) => type.startsWith('text/'))
    ? [...clipboard.files].filter(({ type }) => type.startsWith('image/')).length
    : 0
