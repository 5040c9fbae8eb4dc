/** Crops an image and sets its focal point, by mouse, touch and keyboard. The original is kept by the server. */
import { Button, Modal, SegmentedControl } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { changeFile, originalOf } from '../../api/media.ts'
import { messageOf } from '../../api/request.ts'
import type { Crop, MediaFile } from '../../api/types.ts'
import { mediaTexts } from '../../texts/media.ts'
import { texts } from '../../texts.ts'
import mediaStyles from '../media.module.css'
import { frameOfRatio, insideFrame, isWhole, type Point, toCropped, toOriginal, WHOLE } from './frame.ts'
import styles from './image-editor.module.css'
import { ImageFrame } from './image-frame.tsx'

interface ImageEditorProps {
  readonly file: MediaFile
  readonly onClose: () => void
  readonly onChanged: () => void
}

const SHAPES = ['free', 'original', '1:1', '4:3', '16:9'] as const
type Shape = (typeof SHAPES)[number]

const isShape = (value: string): value is Shape => SHAPES.some((shape) => shape === value)

/** Width to height in pixels; null for any. */
function ratioOf(shape: Shape, original: { readonly width: number; readonly height: number }): number | null {
  switch (shape) {
    case 'free':
      return null
    case 'original':
      return original.width / original.height
    case '1:1':
      return 1
    case '4:3':
      return 4 / 3
    case '16:9':
      return 16 / 9
  }
}

/** Animations and drawings keep their shape; their focal point can be set. */
const isCroppable = ({ mime }: MediaFile) => !/svg|gif|apng|heic|icon|bmp|jxl/.test(mime)

export default function ImageEditor({ file, onClose, onChanged }: ImageEditorProps) {
  const before = file.__meta?.crop ?? null
  const [frame, setFrame] = useState<Crop>(before ?? WHOLE)
  const [focus, setFocus] = useState<Point | null>(
    file.focalPoint ? toOriginal(file.focalPoint, before ?? WHOLE) : null,
  )
  const [shape, setShape] = useState<Shape>('free')
  const [size, setSize] = useState<{ readonly width: number; readonly height: number } | null>(null)
  const [isPending, setIsPending] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const canCrop = isCroppable(file)
  const ratio = size === null ? null : ratioOf(shape, size)
  /** In percent, a frame of the shape of the image is a square. */
  const percentRatio = ratio === null || size === null ? null : ratio * (size.height / size.width)

  const changeFrame = (next: Crop) => {
    setFrame(next)
    setFocus((point) => point && insideFrame(point, next))
  }
  const chooseShape = (next: Shape) => {
    setShape(next)
    if (size === null) return
    const chosen = ratioOf(next, size)
    if (chosen !== null) changeFrame(frameOfRatio(frame, chosen * (size.height / size.width)))
  }
  const apply = async () => {
    setIsPending(true)
    setError(null)
    const crop = isWhole(frame) ? null : frame
    const hasCropChanged = JSON.stringify(crop) !== JSON.stringify(before)
    try {
      await changeFile(file.documentId, {
        focalPoint: focus && toCropped(focus, crop ?? WHOLE),
        ...(canCrop && hasCropChanged && { crop }),
      })
      notifications.show({ message: mediaTexts.applied })
      onChanged()
      onClose()
    } catch (failure) {
      setError(messageOf(failure))
    }
    setIsPending(false)
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={mediaTexts.editImage}
      size={920}
      closeButtonProps={{ 'aria-label': texts.close }}
    >
      <div className={styles.editor}>
        <ImageFrame
          src={originalOf(file)}
          frame={frame}
          onFrame={canCrop ? changeFrame : null}
          ratio={percentRatio}
          focus={focus}
          onFocus={setFocus}
          size={size}
          onSize={setSize}
        />
        <div className={styles.side}>
          <fieldset className={styles.group}>
            <legend>{mediaTexts.crop}</legend>
            {canCrop ? (
              <>
                <p>{mediaTexts.cropHint}</p>
                <SegmentedControl
                  size="xs"
                  fullWidth
                  aria-label={mediaTexts.shape}
                  value={shape}
                  onChange={(value) => isShape(value) && chooseShape(value)}
                  data={SHAPES.map((value) => ({ value, label: mediaTexts.shapes[value] }))}
                />
                <Button
                  size="xs"
                  variant="default"
                  disabled={isWhole(frame)}
                  onClick={() => {
                    setShape('free')
                    changeFrame(WHOLE)
                  }}
                >
                  {mediaTexts.wholeImage}
                </Button>
              </>
            ) : (
              <p>{mediaTexts.notCroppable}</p>
            )}
          </fieldset>
          <fieldset className={styles.group}>
            <legend>{mediaTexts.focalPoint}</legend>
            <p>{mediaTexts.focalHint}</p>
            <Button size="xs" variant="default" disabled={focus === null} onClick={() => setFocus(null)}>
              {mediaTexts.centre}
            </Button>
          </fieldset>
        </div>
      </div>
      {error !== null && (
        <p role="alert" className={mediaStyles.problem}>
          {error}
        </p>
      )}
      <div className={mediaStyles.dialogActions}>
        <Button variant="default" onClick={onClose}>
          {texts.cancel}
        </Button>
        <Button loading={isPending} disabled={size === null} onClick={() => void apply()}>
          {mediaTexts.apply}
        </Button>
      </div>
    </Modal>
  )
}
