/** The `octavo` command as it works where this process was started, for hints in messages. */
import path from 'node:path'

/** Sources run only in a checkout. */
export const IS_PACKAGE = !import.meta.filename.endsWith('.ts')

const CHECKOUT = path.resolve(import.meta.dirname, '../..')

/** For example `npx octavo migrate --plan`; in a checkout `npm run octavo -- migrate --plan --project ../site`. */
export const ownCommand = (args: string): string => `${ownProgram()} ${args}${projectArgument(process.argv)}`

/** The same without a project, for commands that create one or list nothing of it. */
export function ownProgram(folder = process.cwd()): string {
  if (IS_PACKAGE) return 'npx octavo'
  return folder === CHECKOUT ? 'npm run octavo --' : `node ${quoted(path.join(CHECKOUT, 'bin/octavo.js'))}`
}

/** The project of this command. The database is left out: its address may contain a password. */
export function projectArgument(argv: readonly string[]): string {
  const at = argv.findIndex((argument) => /^--project(=|$)/.test(argument))
  const [, ownValue] = argv[at]?.split(/=(.*)/s) ?? []
  const value = ownValue ?? (at < 0 ? undefined : argv[at + 1])
  return value === undefined || value === '' ? '' : ` --project ${quoted(value)}`
}

/** For a shell. */
export const quoted = (text: string): string =>
  /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
