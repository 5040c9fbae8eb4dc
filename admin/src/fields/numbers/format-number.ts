/** A number as people read it, in the language of the browser and with every digit. */

/** The most that every browser accepts; without it, three digits are shown. */
const digits = new Intl.NumberFormat(undefined, { maximumFractionDigits: 20 })

export const formatNumber = (value: number): string => digits.format(value)
