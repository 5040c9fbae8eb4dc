/** Loaded into every process of a server: the disk fails the one that first finds the file named by the environment. */
import { existsSync, rmSync } from 'node:fs'
import { failingDisk } from '../support/failing-disk.ts'

const order = process.env.OCTAVO_TEST_DISK_FAILS ?? ''
failingDisk(() => {
  if (!existsSync(order)) return false
  rmSync(order)
  return true
})
