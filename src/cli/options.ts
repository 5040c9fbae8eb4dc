/** Options that several commands take, and the settings they stand for. */
import path from 'node:path'
import { InvalidArgumentError, Option } from 'commander'
import type { ConfigInput } from '../project/config/config.ts'
import { sqliteFile, sqliteUrl, urlProblem } from '../project/config/database-url.ts'
import { MOST_WORKERS } from '../project/config/settings.ts'

export interface ProjectOptions {
  readonly project: string
  readonly database?: string
  readonly host?: string
  readonly port?: number
  readonly workers?: number | 'auto'
}

export const projectOption = () => new Option('--project <folder>', 'folder of the project').default('.')

export const databaseOption = () =>
  new Option('--database <url>', 'sqlite:PATH or postgres://USER:PASSWORD@HOST/NAME').argParser(absoluteUrl)

export const hostOption = () => new Option('--host <address>', 'address to listen on')

export const portOption = () =>
  new Option('--port <number>', 'port to listen on; 0 for any free one').argParser(parsePort)

export const workersOption = () =>
  new Option('--workers <number>', 'processes that serve; auto for one on each core').argParser(parseWorkers)

/** What the options override in the configuration. */
export const settingsOf = ({ database, host, port, workers }: ProjectOptions): ConfigInput => ({
  ...(database !== undefined && { database: { url: database } }),
  server: {
    ...(host !== undefined && { host }),
    ...(port !== undefined && { port }),
    ...(workers !== undefined && { workers }),
  },
})

/** A path on the command line starts from the working directory, not from the project as in its configuration. */
function absoluteUrl(url: string): string {
  const file = sqliteFile(url)
  return file === null || urlProblem(url) ? url : sqliteUrl(path.resolve(file))
}

function parsePort(text: string): number {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65535)
    throw new InvalidArgumentError('Expected a number from 0 to 65535.')
  return port
}

function parseWorkers(text: string): number | 'auto' {
  if (text === 'auto') return text
  const count = Number(text)
  if (!/^\d+$/.test(text) || count < 1 || count > MOST_WORKERS)
    throw new InvalidArgumentError(`Expected auto, or a number from 1 to ${MOST_WORKERS}.`)
  return count
}
