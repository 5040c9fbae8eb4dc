/** How long ago something was, with the exact time on hover; or that it never was. */
import { formatInstant, timeAgo } from '../content/dates.ts'

interface TimeAgoProps {
  readonly at: string | null
  readonly never?: string
}

export const TimeAgo = ({ at, never }: TimeAgoProps) =>
  at === null ? (
    <span style={{ color: 'var(--muted)' }}>{never}</span>
  ) : (
    <time dateTime={at} title={formatInstant(at)}>
      {timeAgo(at)}
    </time>
  )
