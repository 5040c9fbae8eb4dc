/** Sizes and durations as configuration files of Strapi write them. */

const BYTES: Readonly<Record<string, number>> = { b: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 }
const SECONDS: Readonly<Record<string, number>> = {
  ...{ ms: 0.001, s: 1, sec: 1, m: 60, min: 60, h: 3600, d: 86_400, day: 86_400, days: 86_400 },
  ...{ w: 604_800, week: 604_800, weeks: 604_800, y: 31_557_600, year: 31_557_600 },
}

/** `256mb`, or a number of bytes; null for anything else. */
export function parseBytes(value: unknown): number | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value > 0 ? value : null
  return scaled(value, BYTES, 'b')
}

/** `7d`, or a number of seconds; null for anything else. */
export function parseSeconds(value: unknown): number | null {
  if (typeof value === 'number') return value > 0 ? value : null
  return scaled(value, SECONDS, 'ms')
}

function scaled(value: unknown, units: Readonly<Record<string, number>>, withoutUnit: string): number | null {
  const [, number, unit] =
    /^\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*$/i.exec(typeof value === 'string' ? value : '') ?? []
  const factor = units[(unit || withoutUnit).toLowerCase()]
  return number === undefined || factor === undefined ? null : Math.round(Number(number) * factor)
}
