/** The states in the history that a release replaces. */
import type { ReadFormerState } from '../../documents/releases/perform-entries.ts'
import type { Server } from '../server.ts'

export const readFormerState =
  (_server: Server): ReadFormerState =>
  async () =>
    null
