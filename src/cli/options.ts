/** Options that several commands share, and the settings they override. */
import path from 'node:path'
import { InvalidArgumentError, Option } from 'commander'
import type { ConfigInput } from '../project/config/config.ts'
import { databaseUrlProblem, sqliteFile, sqliteUrl } from '../project/config/database-url.ts'
import { MAX_WORKERS } from '../project/config/settings.ts'

export interface ProjectOptions {
  readonly project: string
  readonly database?: string
  readonly host?: string
  readonly port?: number
  readonly workers?: number | 'auto'
}

export const projectOption = () => new Option('--project <folder>', 'project folder').default('.')

export const databaseOption = () =>
  new Option('--database <url>', 'database URL, sqlite:PATH or postgres://USER:PASSWORD@HOST/NAME').argParser(
    absoluteUrl,
  )

export const hostOption = () => new Option('--host <address>', 'address to listen on')

export const portOption = () =>
  new Option('--port <number>', 'port to listen on; 0 for any free port').argParser(parsePort)

export const workersOption = () =>
  new Option('--workers <number>', 'number of worker processes; auto for one per core').argParser(
    parseWorkers,
  )

/** The settings that the options override. */
export const settingsOf = ({ database, host, port, workers }: ProjectOptions): ConfigInput => ({
  ...(database !== undefined && { database: { url: database } }),
  server: {
    ...(host !== undefined && { host }),
    ...(port !== undefined && { port }),
    ...(workers !== undefined && { workers }),
  },
})

/** A path on the command line is relative to the working directory, not to the project folder. */
function absoluteUrl(url: string): string {
  const file = sqliteFile(url)
  return file === null || databaseUrlProblem(url) ? url : sqliteUrl(path.resolve(file))
}

function parsePort(value: string): number {
  const port = Number(value)
  if (!/^\d+$/.test(value) || port > 65535)
    throw new InvalidArgumentError('Expected a number from 0 to 65535.')
  return port
}

function parseWorkers(value: string): number | 'auto' {
  if (value === 'auto') return value
  const count = Number(value)
  if (!/^\d+$/.test(value) || count < 1 || count > MAX_WORKERS)
    throw new InvalidArgumentError(`Expected auto, or a number from 1 to ${MAX_WORKERS}.`)
  return count
}
