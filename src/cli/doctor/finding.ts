/** What a check has found: good, worth a look, or in the way. */

export interface Finding {
  readonly level: 'good' | 'notice' | 'bad'
  readonly text: string
  /** What to do about it. */
  readonly remedy?: string
}

export const good = (text: string): Finding => ({ level: 'good', text })
export const notice = (text: string, remedy: string): Finding => ({ level: 'notice', text, remedy })
export const bad = (text: string, remedy: string): Finding => ({ level: 'bad', text, remedy })

const MARKS = { good: '✓', notice: '!', bad: '✗' } as const

/** The lines that tell a person. */
export function told({ level, text, remedy }: Finding): string {
  const [first = '', ...more] = text.split('\n')
  const lines = [`${MARKS[level]} ${first}`, ...more.map((line) => `  ${line}`)]
  return [...lines, ...(remedy ? [`  → ${remedy}`] : [])].join('\n')
}
