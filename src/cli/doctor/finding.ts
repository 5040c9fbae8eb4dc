/** The result of a check of `octavo doctor`. */

export interface Finding {
  readonly level: 'ok' | 'warning' | 'error'
  readonly text: string
  /** What to do about it. */
  readonly remedy?: string
}

export const ok = (text: string): Finding => ({ level: 'ok', text })
export const warning = (text: string, remedy: string): Finding => ({ level: 'warning', text, remedy })
export const error = (text: string, remedy: string): Finding => ({ level: 'error', text, remedy })

const MARKS = { ok: '✓', warning: '!', error: '✗' } as const

export function formatFinding({ level, text, remedy }: Finding): string {
  const [first = '', ...more] = text.split('\n')
  const lines = [`${MARKS[level]} ${first}`, ...more.map((line) => `  ${line}`)]
  return [...lines, ...(remedy ? [`  → ${remedy}`] : [])].join('\n')
}
