/** What can be done with a release, by its state. */
import type { Release } from '../../documents/releases/releases.ts'
import { errors } from '../../errors.ts'

/** Refuses to change a release that was published. */
export function checkCanChange({ state }: Release): void {
  if (state === 'published' || state === 'reverted')
    throw errors.application(`The release was ${state}; create another one`)
}

/** Refuses to publish a release without documents, now or at a time. */
export function checkNotEmpty(entries: readonly unknown[]): void {
  if (entries.length === 0) throw errors.application('The release has no documents')
}
