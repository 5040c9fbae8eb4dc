/** How a release stands, and when it is or was published. */
import type { Release, ReleaseState } from '../api/content/releases.ts'
import { StateBadge } from '../content/status-badge.tsx'
import { releaseTexts } from '../texts/releases.ts'

const TONES = {
  open: 'draft',
  scheduled: 'modified',
  failed: 'failed',
  published: 'published',
  reverted: 'draft',
} as const satisfies Record<ReleaseState, string>

export const ReleaseStateBadge = ({ state }: Pick<Release, 'state'>) => (
  <StateBadge tone={TONES[state]}>{releaseTexts.states[state]}</StateBadge>
)

/** Whether it can still be changed and published. */
export const isUnpublished = ({ state }: Pick<Release, 'state'>) =>
  state === 'open' || state === 'scheduled' || state === 'failed'
