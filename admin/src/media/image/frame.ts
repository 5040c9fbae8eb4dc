/** The crop frame and the focal point of the image editor, in percent of the original image. Does not know the page. */
import type { Crop } from '../../api/types.ts'

export interface Point {
  readonly x: number
  readonly y: number
}

export const WHOLE: Crop = { x: 0, y: 0, width: 100, height: 100 }

/** The smallest side of a frame. */
const SMALLEST = 2

const clamp = (value: number, min: number, max: number) => Math.min(Math.max(value, min), max)

/** Keeps its size. */
export const moveFrame = (frame: Crop, dx: number, dy: number): Crop => ({
  ...frame,
  x: clamp(frame.x + dx, 0, 100 - frame.width),
  y: clamp(frame.y + dy, 0, 100 - frame.height),
})

/** A side or corner of the frame: -1 for left or top, 1 for right or bottom, 0 for neither. */
export interface Handle {
  readonly h: -1 | 0 | 1
  readonly v: -1 | 0 | 1
}

/**
 * Moves a side or a corner; the opposite one stays. With `ratio`, which is width to height in percent, the other side
 * follows.
 */
export function resizeFrame(
  frame: Crop,
  { h, v }: Handle,
  dx: number,
  dy: number,
  ratio: number | null,
): Crop {
  const right = frame.x + frame.width
  const bottom = frame.y + frame.height
  const room = { width: h < 0 ? right : 100 - frame.x, height: v < 0 ? bottom : 100 - frame.y }
  let width = clamp(frame.width + h * dx, SMALLEST, room.width)
  let height = clamp(frame.height + v * dy, SMALLEST, room.height)
  if (ratio !== null) {
    if (h === 0) width = height * ratio
    else height = width / ratio
    const scale = Math.min(1, room.width / width, room.height / height)
    width *= scale
    height *= scale
  }
  return { x: h < 0 ? right - width : frame.x, y: v < 0 ? bottom - height : frame.y, width, height }
}

/** The largest frame of a shape around the centre of another one. */
export function frameOfRatio(frame: Crop, ratio: number): Crop {
  const width = Math.min(100, 100 * ratio)
  const height = width / ratio
  const centre = { x: frame.x + frame.width / 2, y: frame.y + frame.height / 2 }
  return {
    width,
    height,
    x: clamp(centre.x - width / 2, 0, 100 - width),
    y: clamp(centre.y - height / 2, 0, 100 - height),
  }
}

export const insideFrame = ({ x, y }: Point, frame: Crop): Point => ({
  x: clamp(x, frame.x, frame.x + frame.width),
  y: clamp(y, frame.y, frame.y + frame.height),
})

/** A point of the cropped image as a point of the original. */
export const toOriginal = ({ x, y }: Point, frame: Crop): Point => ({
  x: frame.x + (x * frame.width) / 100,
  y: frame.y + (y * frame.height) / 100,
})

/** The reverse of it. */
export const toCropped = ({ x, y }: Point, frame: Crop): Point => ({
  x: round(clamp(((x - frame.x) / frame.width) * 100, 0, 100)),
  y: round(clamp(((y - frame.y) / frame.height) * 100, 0, 100)),
})

const round = (value: number) => Math.round(value * 100) / 100

export const isWhole = ({ width, height }: Crop) => width > 99.95 && height > 99.95
