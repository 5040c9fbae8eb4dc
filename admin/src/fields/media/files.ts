/** Files in the value of a media attribute. */
import type { AttributeView, MediaFile } from '../../api/types.ts'

const isFile = (value: unknown): value is MediaFile =>
  typeof value === 'object' && value !== null && 'url' in value && 'mime' in value

/** The files of an attribute for one or for several. */
export const filesOf = (value: unknown): readonly MediaFile[] =>
  (Array.isArray(value) ? value : [value]).filter(isFile)

const KINDS: readonly (readonly [kind: string, mime: RegExp])[] = [
  ['images', /^image\//],
  ['videos', /^video\//],
  ['audios', /^audio\//],
  ['files', /^(?!image\/|video\/|audio\/)/],
]

/** Whether an attribute may hold the file. */
export function isAllowed({ allowedTypes }: AttributeView, { mime }: { readonly mime: string }): boolean {
  if (!allowedTypes || allowedTypes.length === 0) return true
  return KINDS.some(([kind, pattern]) => allowedTypes.includes(kind) && pattern.test(mime))
}

/** The `accept` of a file input. */
export function acceptOf({ allowedTypes = [] }: AttributeView): string | undefined {
  if (allowedTypes.length === 0 || allowedTypes.includes('files')) return undefined
  return allowedTypes.map((kind) => `${kind.replace(/s$/, '')}/*`).join(',')
}
