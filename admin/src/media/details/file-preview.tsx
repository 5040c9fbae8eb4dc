/** A file as it is: an image with its focal point, a video, sound, or an icon. */
import { isImage, previewOf, urlOf } from '../../api/media.ts'
import type { MediaFile } from '../../api/types.ts'
import { mediaTexts } from '../../texts/media.ts'
import { FileThumbnail } from '../files/file-thumbnail.tsx'
import styles from './details.module.css'

export function FilePreview({ file }: { readonly file: MediaFile }) {
  const { focalPoint, mime } = file
  if (isImage(file))
    return (
      <div className={styles.preview}>
        <span className={styles.picture}>
          <img src={previewOf(file)} alt={file.alternativeText ?? ''} />
          {focalPoint && (
            <span
              className={styles.point}
              style={{ left: `${focalPoint.x}%`, top: `${focalPoint.y}%` }}
              title={mediaTexts.focalPoint}
            />
          )}
        </span>
      </div>
    )
  if (mime.startsWith('video/'))
    return (
      <div className={styles.preview}>
        {/* biome-ignore lint/a11y/useMediaCaption: files of the library have no captions of their own. */}
        <video src={urlOf(file.url)} controls preload="metadata" aria-label={file.name} />
      </div>
    )
  if (mime.startsWith('audio/'))
    return (
      <div className={styles.preview}>
        {/* biome-ignore lint/a11y/useMediaCaption: files of the library have no captions of their own. */}
        <audio src={urlOf(file.url)} controls preload="metadata" aria-label={file.name} />
      </div>
    )
  return (
    <div className={styles.preview}>
      <FileThumbnail file={file} />
    </div>
  )
}
