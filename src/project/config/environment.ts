/**
 * Environment variables over the configuration: `PORT`, `HOST`, `PUBLIC_URL`, `DATABASE_URL`, and for every setting
 * `OCTAVO_` and its path in capitals (`OCTAVO_API_REST_MAX_LIMIT` is `api.rest.maxLimit`). Lists are separated by commas.
 */
import type { ProjectProblem } from '../problems.ts'
import { leaves } from './settings.ts'

export type Environment = Readonly<Record<string, string | undefined>>

const SHORT_NAMES: ReadonlyMap<string, string> = new Map([
  ['server.port', 'PORT'],
  ['server.host', 'HOST'],
  ['server.url', 'PUBLIC_URL'],
  ['database.url', 'DATABASE_URL'],
])

/** The variable that sets a dotted path. */
export const variableOf = (path: string) =>
  `OCTAVO_${path.replace(/[A-Z]/g, '_$&').replaceAll('.', '_').toUpperCase()}`

/** The settings that environment variables make, as a partial configuration. An empty variable sets nothing. */
export function environmentConfig(env: Environment, problems: ProjectProblem[]) {
  const config: Record<string, unknown> = {}
  for (const [path, setting] of leaves()) {
    const name = [variableOf(path), SHORT_NAMES.get(path) ?? ''].find((candidate) => env[candidate])
    const text = env[name ?? '']
    if (name === undefined || text === undefined || !setting.read) continue
    const value = setting.read(text)
    // A text that cannot be read is shown to the check as it is, which says what was expected.
    setting.check(value ?? text, '', (_, message) =>
      problems.push({ file: `environment variable ${name}`, path: '', message }),
    )
    place(config, path.split('.'), value)
  }
  return config
}

function place(config: Record<string, unknown>, [key = '', ...rest]: readonly string[], value: unknown) {
  if (rest.length === 0) {
    config[key] = value
    return
  }
  const inner = config[key]
  const next: Record<string, unknown> = typeof inner === 'object' && inner !== null ? { ...inner } : {}
  config[key] = next
  place(next, rest, value)
}
