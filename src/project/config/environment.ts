/**
 * Settings from environment variables: `PORT`, `HOST`, `PUBLIC_URL`, `DATABASE_URL`, and for every setting `OCTAVO_`
 * followed by its path in capitals (`OCTAVO_API_REST_MAX_LIMIT` for `api.rest.maxLimit`). Lists are separated by commas.
 */
import type { ProjectProblem } from '../problems.ts'
import { scalarSettings } from './merge-config.ts'

export type Environment = Readonly<Record<string, string | undefined>>

const SHORT_NAMES: ReadonlyMap<string, string> = new Map([
  ['server.port', 'PORT'],
  ['server.host', 'HOST'],
  ['server.url', 'PUBLIC_URL'],
  ['database.url', 'DATABASE_URL'],
])

/** The variable for a dotted path. */
export const variableName = (path: string) =>
  `OCTAVO_${path.replace(/[A-Z]/g, '_$&').replaceAll('.', '_').toUpperCase()}`

/** The settings in the environment as a partial configuration. Empty variables are ignored. */
export function environmentConfig(env: Environment, problems: ProjectProblem[]) {
  const config: Record<string, unknown> = {}
  for (const [path, setting] of scalarSettings()) {
    const name = [variableName(path), SHORT_NAMES.get(path) ?? ''].find((candidate) => env[candidate])
    const variable = env[name ?? '']
    if (name === undefined || variable === undefined || !setting.parse) continue
    const value = setting.parse(variable)
    // An invalid string is passed to the check, which reports what was expected.
    setting.check(value ?? variable, '', (_, message) =>
      problems.push({ file: `environment variable ${name}`, path: '', message }),
    )
    setAtPath(config, path.split('.'), value)
  }
  return config
}

function setAtPath(config: Record<string, unknown>, [key = '', ...rest]: readonly string[], value: unknown) {
  if (rest.length === 0) {
    config[key] = value
    return
  }
  const inner = config[key]
  const next: Record<string, unknown> = typeof inner === 'object' && inner !== null ? { ...inner } : {}
  config[key] = next
  setAtPath(next, rest, value)
}
