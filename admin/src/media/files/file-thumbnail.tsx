/** Files as people recognise them: a small picture, the kind and the size. */
import { IconFile, IconFileText, IconMusic, IconVideo } from '@tabler/icons-react'
import { isImage, thumbnailOf } from '../../api/media.ts'
import type { MediaFile } from '../../api/types.ts'
import styles from './file-thumbnail.module.css'

const ICONS: readonly (readonly [mime: RegExp, icon: typeof IconFile])[] = [
  [/^video\//, IconVideo],
  [/^audio\//, IconMusic],
  [/^(text\/|application\/(pdf|json))/, IconFileText],
]

/** An image, cut around its focal point, or an icon for other files. The name of the file stands beside it. */
export function FileThumbnail({ file }: { readonly file: MediaFile }) {
  const { focalPoint } = file
  if (isImage(file))
    return (
      <img
        className={styles.thumbnail}
        src={thumbnailOf(file)}
        alt=""
        loading="lazy"
        style={focalPoint ? { objectPosition: `${focalPoint.x}% ${focalPoint.y}%` } : undefined}
      />
    )
  const [, Icon] = ICONS.find(([mime]) => mime.test(file.mime)) ?? [null, IconFile]
  return (
    <span className={styles.thumbnail}>
      <Icon size={22} stroke={1.25} aria-hidden />
    </span>
  )
}

/** Of a number of kilobytes, such as "84 kB". */
export const formatSize = (size: number) =>
  size < 1000 ? `${Math.max(1, Math.round(size))} kB` : `${(size / 1000).toFixed(1)} MB`

/** Such as "PNG". */
export const kindOf = ({ ext, mime }: MediaFile) =>
  (ext?.replace('.', '') || mime.slice(mime.indexOf('/') + 1)).toUpperCase()

/** Such as "1200 × 800 · 84 kB". */
export function describeFile({ width, height, size }: MediaFile): string {
  const length = formatSize(size)
  return width !== null && height !== null ? `${width} × ${height} · ${length}` : length
}
