/** Whether a decimal number keeps all of its digits as a JSON number, which is a double. */

/** Digits without leading and trailing zeros, and the power of ten that they are multiplied by. */
interface Decimal {
  readonly isNegative: boolean
  readonly digits: string
  readonly exponent: number
}

const PARTS = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/

function decimalOf(text: string): Decimal | null {
  const [, sign, whole = '', fraction = '', exponent = '0'] = PARTS.exec(text) ?? []
  if (sign === undefined) return null
  const all = whole + fraction
  let start = 0
  while (all[start] === '0') start++
  let end = all.length
  while (end > start && all[end - 1] === '0') end--
  if (start === end) return { isNegative: false, digits: '', exponent: 0 }
  return {
    isNegative: sign === '-',
    digits: all.slice(start, end),
    exponent: Number(exponent) - fraction.length + all.length - end,
  }
}

/** Whether the nearest double is written with the same digits. Any number of up to 15 significant digits is. */
export function isExactDouble(text: string): boolean {
  const [sent, kept] = [decimalOf(text.trim()), decimalOf(String(Number(text)))]
  return (
    sent !== null &&
    kept !== null &&
    sent.isNegative === kept.isNegative &&
    sent.digits === kept.digits &&
    sent.exponent === kept.exponent
  )
}
