/**
 * Stops the periodic work of every server in this process, for tests that count statements: its heartbeat may notice at
 * any time that another process has started, and the next request then reads permissions again.
 */
import { mock } from 'node:test'

export const stopIntervals = () => mock.timers.enable({ apis: ['setInterval'] })
