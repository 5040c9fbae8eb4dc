/** Tokens whose values come from the environment, as production requires. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Rewrites `config/tokens.json` of a project folder to name environment variables, and returns these. */
export function moveTokensToEnvironment(folder: string): Record<string, string> {
  const file = join(folder, 'config/tokens.json')
  const tokens: Record<string, { readonly token: string }> = JSON.parse(readFileSync(file, 'utf8'))
  const variableOf = (name: string) => `TOKEN_${name.toUpperCase()}`
  const named = Object.entries(tokens).map(([name, { token, ...rest }]) => [
    name,
    { ...rest, env: variableOf(name) },
  ])
  writeFileSync(file, JSON.stringify(Object.fromEntries(named)))
  return Object.fromEntries(Object.entries(tokens).map(([name, { token }]) => [variableOf(name), token]))
}
