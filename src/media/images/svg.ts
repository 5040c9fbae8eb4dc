/** Reads the size of an SVG from its opening tag. Untrusted SVG is never parsed or rendered, so no library is used. */

export interface Size {
  readonly width: number
  readonly height: number
}

/** In pixels; null when the SVG declares no size. */
export function svgSize(text: string): Size | null {
  const start = text.search(/<(?:[\w-]+:)?svg\b/i)
  const end = start < 0 ? -1 : text.indexOf('>', start)
  if (end < 0) return null
  const tag = text.slice(start, end)
  const width = pixels(attribute(tag, 'width'))
  const height = pixels(attribute(tag, 'height'))
  if (width && height) return { width: Math.round(width), height: Math.round(height) }
  const box =
    attribute(tag, 'viewBox')
      ?.trim()
      .split(/[\s,]+/)
      .map(Number) ?? []
  const [, , boxWidth, boxHeight] = box
  if (!boxWidth || !boxHeight || !(boxWidth > 0 && boxHeight > 0)) return null
  if (width) return { width: Math.round(width), height: Math.round((width * boxHeight) / boxWidth) }
  if (height) return { width: Math.round((height * boxWidth) / boxHeight), height: Math.round(height) }
  return { width: Math.round(boxWidth), height: Math.round(boxHeight) }
}

const attribute = (tag: string, name: string) =>
  new RegExp(`\\s${name}\\s*=\\s*["']([^"']{1,100})["']`, 'i').exec(tag)?.[1]

const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  px: 1,
  pt: 96 / 72,
  pc: 16,
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
}

function pixels(value: string | undefined): number | null {
  const match = /^\s*(\d{1,7}(?:\.\d{1,6})?)\s*([a-z]*)\s*$/i.exec(value ?? '')
  const unit = UNITS[match?.[2]?.toLowerCase() ?? '']
  const length = Number(match?.[1]) * (unit ?? Number.NaN)
  return length > 0 ? length : null
}
