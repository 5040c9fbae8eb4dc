/** What the address of the releases holds: list or calendar, and the month. */
export interface ReleasesSearch {
  readonly view?: 'calendar'
  /** Such as `2026-11`; this month without it. */
  readonly month?: string
}

export const parseReleasesSearch = ({ view, month }: Readonly<Record<string, unknown>>): ReleasesSearch => ({
  ...(view === 'calendar' && { view }),
  ...(typeof month === 'string' && /^\d{4}-(0[1-9]|1[0-2])$/.test(month) && { month }),
})
