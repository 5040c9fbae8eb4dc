/** Loaded into every process of a server: once the file OCTAVO_TEST_DISK_FAILS exists, the disk fails for one process. */
import { existsSync, rmSync } from 'node:fs'
import { failingDisk } from '../support/failing-disk.ts'

const trigger = process.env.OCTAVO_TEST_DISK_FAILS ?? ''
failingDisk(() => {
  if (!existsSync(trigger)) return false
  rmSync(trigger)
  return true
})
