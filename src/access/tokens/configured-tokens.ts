/** The API tokens that the configuration names: checked, and held against those that are stored. */
import type { TokenConfig } from '../../project/config/config.ts'
import { compile } from '../../store/compile.ts'
import { StartError } from '../../store/errors.ts'
import { sql } from '../../store/sql.ts'
import type { Row } from '../../store/statement.ts'
import type { Transaction } from '../../store/store.ts'
import { hashOf, sameHash } from '../credentials/bearer.ts'
import { TOKENS } from '../tables.ts'
import { insertToken, permissionsText, revokeToken, tokenPermissionErrors } from './token.ts'

interface Configured {
  readonly config: TokenConfig
  readonly hash: string
}

/** By name. */
export type ConfiguredTokens = ReadonlyMap<string, Configured>

/** Shorter ones could be guessed, and they are hashed only lightly. */
const SHORTEST = 32

/** The tokens that have a value, and a note for each that has none. A mistake is a StartError. */
export function configuredTokens(
  tokens: Readonly<Record<string, TokenConfig>>,
  env: NodeJS.ProcessEnv,
): { wanted: ConfiguredTokens; notes: string[] } {
  const notes: string[] = []
  const wanted = new Map<string, Configured>()
  for (const [name, config] of Object.entries(tokens)) {
    const secret = config.token ?? (config.env ? env[config.env] : undefined)
    if (!secret) notes.push(`The token ${name} has no value: ${config.env ?? 'token'} is not set`)
    else wanted.set(name, { config, hash: hashOf(checked(name, config, secret)) })
  }
  return { wanted, notes }
}

/** Whether these rows of all tokens already are what the configuration wants. */
export function isApplied(wanted: ConfiguredTokens, rows: readonly Row[]): boolean {
  const stored = rows.filter(isConfigured)
  return stored.length === wanted.size && stored.every((row) => isWanted(wanted, row))
}

/** Ends the tokens that the configuration no longer names, or names otherwise, and stores those that are missing. */
export async function applyTokens(transaction: Transaction, wanted: ConfiguredTokens, rows: readonly Row[]) {
  const kept = new Set<string>()
  for (const row of rows.filter(isConfigured)) {
    if (isWanted(wanted, row)) kept.add(String(row.name))
    else revokeToken(transaction, Number(row.id))
  }
  for (const [name, { config, hash }] of wanted) {
    if (kept.has(name)) continue
    // A revoked row may hold the same hash: the value has come back, so the old row gives way.
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

const isConfigured = (row: Row) => row.source === 'config'

function isWanted(wanted: ConfiguredTokens, row: Row): boolean {
  const entry = wanted.get(String(row.name))
  return (
    entry !== undefined &&
    sameHash(entry.hash, String(row.hash)) &&
    row.kind === entry.config.type &&
    row.permissions === permissionsText(entry.config.permissions ?? null)
  )
}

function checked(name: string, config: TokenConfig, secret: string): string {
  const mistakes = tokenPermissionErrors(config.type, config.permissions ?? null)
  if (!['read-only', 'full-access', 'custom'].includes(config.type))
    mistakes.push('type must be read-only, full-access or custom')
  if (secret.length < SHORTEST) mistakes.push(`the value must have at least ${SHORTEST} characters`)
  if (mistakes.length > 0) throw new StartError(`config/tokens: ${name}: ${mistakes.join('; ')}`)
  return secret
}
