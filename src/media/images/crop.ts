/** The part of an image that is shown. Does no I/O. */
import { errors } from '../../errors.ts'
import type { Size } from './svg.ts'

/** In percent of the original image, from its top left corner. */
export interface Crop {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** In percent of the image that is shown. */
export interface FocalPoint {
  readonly x: number
  readonly y: number
}

const WHOLE: Crop = { x: 0, y: 0, width: 100, height: 100 }

/** Sums of decimals may exceed 100 a little. */
const TOLERANCE = 1e-6

export function parseCrop(value: unknown): Crop | null {
  if (value === null) return null
  if (isCrop(value) && Object.keys(value).length === 4) {
    const { x, y, width, height } = value
    const isInside = x >= 0 && y >= 0 && width > 0 && height > 0
    if (isInside && x + width <= 100 + TOLERANCE && y + height <= 100 + TOLERANCE)
      return { x, y, width, height }
  }
  throw errors.invalid(
    'fileInfo.crop must be {"x": …, "y": …, "width": …, "height": …} in percent of the original image, or null',
  )
}

const isCrop = (value: unknown): value is Crop =>
  typeof value === 'object' &&
  value !== null &&
  ['x', 'y', 'width', 'height'].every((key) => Number.isFinite(Reflect.get(value, key)))

export interface Area extends Size {
  readonly left: number
  readonly top: number
}

/** The pixels of a crop: at least one, and none outside the image. */
export function areaOf({ x, y, width, height }: Crop, image: Size): Area {
  const [left, right] = edges(x, width, image.width)
  const [top, bottom] = edges(y, height, image.height)
  return { left, top, width: right - left, height: bottom - top }
}

function edges(start: number, length: number, pixels: number): [first: number, end: number] {
  const first = Math.min(Math.round((start / 100) * pixels), pixels - 1)
  return [first, Math.min(Math.max(Math.round(((start + length) / 100) * pixels), first + 1), pixels)]
}

/** The focal point at the same place of the picture after its crop has changed; null when that place is cut off. */
export function focalPointAfter(
  point: FocalPoint | null,
  before: Crop | null,
  after: Crop | null,
): FocalPoint | null {
  if (!point) return null
  const [from, to] = [before ?? WHOLE, after ?? WHOLE]
  const x = from.x + (point.x * from.width) / 100
  const y = from.y + (point.y * from.height) / 100
  const moved = {
    x: round(((x - to.x) / to.width) * 100),
    y: round(((y - to.y) / to.height) * 100),
  }
  return [moved.x, moved.y].every((value) => value >= 0 && value <= 100) ? moved : null
}

const round = (value: number) => Math.round(value * 100) / 100
