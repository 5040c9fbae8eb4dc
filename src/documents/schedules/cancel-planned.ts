/** Cancels what a deleted job was to publish or unpublish: without its job, it would stay planned forever. */
import type { CancelWaiting } from '../../jobs/list.ts'
import { cancelRelease, RELEASE_JOB } from '../releases/releases.ts'
import { cancelSchedule, SCHEDULE_JOB } from './schedules.ts'

export const cancelPlanned: CancelWaiting = async (transaction, { kind, key }) => {
  if (kind === SCHEDULE_JOB) await cancelSchedule(transaction, Number(key))
  if (kind === RELEASE_JOB) cancelRelease(transaction, Number(key))
}
