/** How many slow reads run at the same time unless `database.slowReads` sets it. */
import { availableParallelism } from 'node:os'
import { serverOf, urlsOfHosts } from '../../project/config/database-url.ts'

const LEAST = 2
/** The part of a pool of connections that slow reads can have. */
const PART = 0.3

/** On the machine of this process: half of the cores, so that the others are left for everything else. */
export const slowReadsOfMachine = (): number => Math.max(Math.ceil(availableParallelism() / 2), LEAST)

/** For a pool of connections: a part of it, and no more than this machine can run if the database runs on it too. */
export function slowReadsOfPool(poolSize: number, url: string): number {
  const part = Math.max(Math.floor(poolSize * PART), Math.min(LEAST, Math.floor(poolSize / 2)), 1)
  return urlsOfHosts(url).some(isOnThisMachine) ? Math.min(part, slowReadsOfMachine()) : part
}

const isOnThisMachine = (url: string): boolean =>
  /^(localhost|127\.[\d.]+|\[::1\]|\/.*)(:\d+)?$/i.test(serverOf(url))
