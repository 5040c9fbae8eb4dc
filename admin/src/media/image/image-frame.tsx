/** An image with a crop frame and a focal point, both moved by dragging or with the arrow keys. */
import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import type { Crop } from '../../api/types.ts'
import { mediaTexts } from '../../texts/media.ts'
import { type Handle, insideFrame, moveFrame, type Point, resizeFrame } from './frame.ts'
import styles from './image-editor.module.css'

interface Size {
  readonly width: number
  readonly height: number
}

interface ImageFrameProps {
  readonly src: string
  readonly frame: Crop
  /** Null when the image cannot be cropped. */
  readonly onFrame: ((frame: Crop) => void) | null
  /** Width to height of the frame in percent; null for any. */
  readonly ratio: number | null
  readonly focus: Point | null
  readonly onFocus: (focus: Point) => void
  readonly size: Size | null
  readonly onSize: (size: Size) => void
}

const HANDLES: readonly (Handle & { readonly name: string })[] = [
  { h: -1, v: -1, name: 'top left' },
  { h: 0, v: -1, name: 'top' },
  { h: 1, v: -1, name: 'top right' },
  { h: 1, v: 0, name: 'right' },
  { h: 1, v: 1, name: 'bottom right' },
  { h: 0, v: 1, name: 'bottom' },
  { h: -1, v: 1, name: 'bottom left' },
  { h: -1, v: 0, name: 'left' },
]

const CORNER: Handle = { h: 1, v: 1 }
const STEPS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

export function ImageFrame(props: ImageFrameProps) {
  const { src, frame, onFrame, ratio, focus, onFocus, size, onSize } = props
  const image = useRef<HTMLImageElement>(null)
  const point = focus ?? { x: frame.x + frame.width / 2, y: frame.y + frame.height / 2 }

  /** Follows the pointer, in percent of the image from where it was pressed. */
  const drag = (event: PointerEvent<HTMLElement>, move: (dx: number, dy: number) => void) => {
    if (event.button !== 0) return
    event.preventDefault()
    event.stopPropagation()
    const { currentTarget: target, clientX, clientY, pointerId } = event
    const { width = 1, height = 1 } = image.current?.getBoundingClientRect() ?? {}
    target.focus()
    target.setPointerCapture(pointerId)
    const follow = (moved: globalThis.PointerEvent) =>
      move(((moved.clientX - clientX) / width) * 100, ((moved.clientY - clientY) / height) * 100)
    const end = () => target.removeEventListener('pointermove', follow)
    target.addEventListener('pointermove', follow)
    target.addEventListener('pointerup', end, { once: true })
    target.addEventListener('pointercancel', end, { once: true })
  }
  const onArrow = (event: KeyboardEvent, move: (dx: number, dy: number) => void) => {
    const [x, y] = STEPS[event.key] ?? [0, 0]
    if (x === 0 && y === 0) return
    event.preventDefault()
    move(x, y)
  }
  const pixels = (percent: number, of: number) => Math.round((percent / 100) * of)
  const frameText = size
    ? mediaTexts.cropValue(
        pixels(frame.x, size.width),
        pixels(frame.y, size.height),
        pixels(frame.width, size.width),
        pixels(frame.height, size.height),
      )
    : ''
  const box = {
    left: `${frame.x}%`,
    top: `${frame.y}%`,
    width: `${frame.width}%`,
    height: `${frame.height}%`,
  }
  return (
    <div className={styles.stage}>
      <div className={styles.picture}>
        <img
          ref={image}
          src={src}
          alt=""
          draggable={false}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
            onSize({ width: naturalWidth, height: naturalHeight })
          }
        />
        {size !== null && onFrame && (
          <>
            <div className={styles.shade} style={box} />
            {/* biome-ignore lint/a11y/useSemanticElements: an input cannot be a frame around handles. */}
            <div
              className={styles.frame}
              style={box}
              role="group"
              // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move the frame.
              tabIndex={0}
              aria-label={`${mediaTexts.cropFrame}: ${frameText}`}
              onPointerDown={(event) => drag(event, (dx, dy) => onFrame(moveFrame(frame, dx, dy)))}
              onKeyDown={(event) =>
                onArrow(event, (dx, dy) =>
                  onFrame(
                    event.shiftKey ? resizeFrame(frame, CORNER, dx, dy, ratio) : moveFrame(frame, dx, dy),
                  ),
                )
              }
            >
              {HANDLES.map((handle) => (
                <button
                  key={handle.name}
                  type="button"
                  className={styles.handle}
                  data-h={handle.h}
                  data-v={handle.v}
                  tabIndex={-1}
                  aria-label={mediaTexts.handle(handle.name)}
                  onPointerDown={(event) =>
                    drag(event, (dx, dy) => onFrame(resizeFrame(frame, handle, dx, dy, ratio)))
                  }
                />
              ))}
            </div>
          </>
        )}
        {size !== null && (
          <button
            type="button"
            className={styles.focus}
            data-set={focus !== null}
            style={{ left: `${point.x}%`, top: `${point.y}%` }}
            aria-label={`${mediaTexts.focalPoint}: ${mediaTexts.focalValue(Math.round(point.x), Math.round(point.y))}`}
            onPointerDown={(event) =>
              drag(event, (dx, dy) => onFocus(insideFrame({ x: point.x + dx, y: point.y + dy }, frame)))
            }
            onKeyDown={(event) =>
              onArrow(event, (dx, dy) => onFocus(insideFrame({ x: point.x + dx, y: point.y + dy }, frame)))
            }
          />
        )}
      </div>
      <p className={styles.value} aria-live="polite">
        {frameText}
      </p>
    </div>
  )
}
