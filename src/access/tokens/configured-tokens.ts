/** API tokens of the configuration: validates them and synchronizes the stored ones. */

import type { TokenConfig } from '../../project/config/access-config.ts'
import { ownCommand } from '../../project/own-command.ts'
import { compile } from '../../store/compile.ts'
import { StartError } from '../../store/errors.ts'
import { sql } from '../../store/sql.ts'
import type { Row } from '../../store/statement.ts'
import type { Transaction } from '../../store/store.ts'
import { hashOf, sameHash } from '../credentials/bearer.ts'
import { TOKENS } from '../tables.ts'
import { insertToken, permissionsText, revokeToken, tokenPermissionErrors } from './token.ts'

interface ConfiguredToken {
  readonly config: TokenConfig
  readonly hash: string
}

/** Where the values of tokens may come from. */
export interface TokenSource {
  readonly env: NodeJS.ProcessEnv
  /** Whether only the environment may have them: configuration is often in version control. */
  readonly production: boolean
}

/** By name. */
export type ConfiguredTokens = ReadonlyMap<string, ConfiguredToken>

/** Shorter tokens could be guessed: the hash is a fast one. */
const MIN_LENGTH = 32

/** The beginning of the tokens that `octavo new` and the examples have. */
const DEVELOPMENT = 'for-development-only-'

/** Why a token is refused in production; null if it is not. */
export function whyForDevelopment({ token }: TokenConfig, secret: string): string | null {
  if (token !== undefined) return 'its value is part of the configuration'
  return secret.startsWith(DEVELOPMENT) ? `its value begins with ${DEVELOPMENT}` : null
}

/** The tokens that have a value, and a warning for each that has none. Throws a StartError for an invalid one. */
export function configuredTokens(
  tokens: Readonly<Record<string, TokenConfig>>,
  { env, production }: TokenSource,
): { configured: ConfiguredTokens; warnings: string[] } {
  const warnings: string[] = []
  const configured = new Map<string, ConfiguredToken>()
  for (const [name, config] of Object.entries(tokens)) {
    const secret = config.token ?? (config.env ? env[config.env] : undefined)
    const reason = production && secret ? whyForDevelopment(config, secret) : null
    if (!secret) warnings.push(`The token ${name} has no value: ${config.env ?? 'token'} is not set`)
    else if (reason !== null)
      throw new StartError(
        `The token ${name} is for development: ${reason}. In production, read it from an environment variable with "env", or remove it and create a token with: ${ownCommand('token create')}`,
      )
    else configured.set(name, { config, hash: hashOf(checkToken(name, config, secret)) })
  }
  return { configured, warnings }
}

/** Whether the stored tokens already match the configuration. */
export function isApplied(configured: ConfiguredTokens, rows: readonly Row[]): boolean {
  const stored = rows.filter(isFromConfig)
  return stored.length === configured.size && stored.every((row) => matchesConfig(configured, row))
}

/** Revokes tokens that the configuration no longer has or has changed, and stores those that are missing. */
export async function applyTokens(
  transaction: Transaction,
  configured: ConfiguredTokens,
  rows: readonly Row[],
) {
  const kept = new Set<string>()
  for (const row of rows.filter(isFromConfig)) {
    if (matchesConfig(configured, row)) kept.add(String(row.name))
    else revokeToken(transaction, Number(row.id))
  }
  for (const [name, { config, hash }] of configured) {
    if (kept.has(name)) continue
    // A token that was removed and is configured again: its revoked row has the same, unique hash.
    transaction.run(
      compile(
        transaction.dialect,
        sql`delete from ${sql.table(TOKENS)} where hash = ${hash} and revoked_at is not null`,
      ),
    )
    const permissions = config.permissions ?? null
    const token = { name, kind: config.type, permissions, expiresAt: null, source: 'config' } as const
    await insertToken(transaction, token, hash)
  }
}

const isFromConfig = (row: Row) => row.source === 'config'

function matchesConfig(configured: ConfiguredTokens, row: Row): boolean {
  const entry = configured.get(String(row.name))
  return (
    entry !== undefined &&
    sameHash(entry.hash, String(row.hash)) &&
    row.kind === entry.config.type &&
    row.permissions === permissionsText(entry.config.permissions ?? null)
  )
}

function checkToken(name: string, config: TokenConfig, secret: string): string {
  const problems = tokenPermissionErrors(config.type, config.permissions ?? null)
  if (!['read-only', 'full-access', 'custom'].includes(config.type))
    problems.push('type must be read-only, full-access or custom')
  if (secret.length < MIN_LENGTH) problems.push(`the token must have at least ${MIN_LENGTH} characters`)
  if (problems.length > 0) throw new StartError(`config/tokens: ${name}: ${problems.join('; ')}`)
  return secret
}
