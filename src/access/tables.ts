/** The tables for tokens, permissions, sessions, codes and the team of the admin app, which belong to no content-type. */
import { sql } from '../store/sql.ts'
import { TOKENS } from '../store/tables/layout.ts'
import type { OwnTables } from '../store/tables/own-tables.ts'

export { TOKENS }
export const PERMISSIONS = 'octavo_permissions'
export const SESSIONS = 'octavo_sessions'
export const REFRESH_TOKENS = 'octavo_refresh_tokens'
export const SESSION_VERSIONS = 'octavo_session_versions'
export const CODES = 'octavo_codes'
/** Touched when a session ends, not when one starts. */
export const TEAM_SESSIONS = 'octavo_team_sessions'
export const SECOND_FACTORS = 'octavo_second_factors'
export const INVITATIONS = 'octavo_invitations'
export const VIEWS = 'octavo_views'
export const SAVED_VIEWS = 'octavo_saved_views'
export const PRESENCE = 'octavo_presence'
export const SIGN_IN_FAILURES = 'octavo_sign_in_failures'
export const KNOWN_ADDRESSES = 'octavo_known_addresses'

export const accessTables: OwnTables = (dialect) => {
  const numbered = sql.raw(dialect.generatedIdType)
  return [
    sql`create table if not exists ${sql.table(TOKENS)} (
      id ${numbered}, name text not null, kind text not null, hash text not null unique, permissions text,
      source text not null, created_at text not null, expires_at text, last_used_at text, revoked_at text)`,
    sql`create table if not exists ${sql.table(PERMISSIONS)} (
      role text not null, type text not null, permissions text not null, primary key (role, type))`,
    sql`create table if not exists ${sql.table(SESSIONS)} (
      id text primary key, account text not null, stamp text not null, created_at text not null,
      expires_at text not null, revoked_at text)`,
    sql`create index if not exists octavo_sessions_account on ${sql.table(SESSIONS)} (account)`,
    sql`create index if not exists octavo_sessions_revoked on ${sql.table(SESSIONS)} (revoked_at)
      where revoked_at is not null`,
    sql`create table if not exists ${sql.table(REFRESH_TOKENS)} (
      hash text primary key, session text not null, used_at text)`,
    sql`create index if not exists octavo_refresh_tokens_session on ${sql.table(REFRESH_TOKENS)} (session)`,
    sql`create table if not exists ${sql.table(SESSION_VERSIONS)} (
      account text primary key, version integer not null)`,
    sql`create table if not exists ${sql.table(CODES)} (
      hash text primary key, account text not null, purpose text not null, expires_at text not null)`,
    sql`create index if not exists octavo_codes_account on ${sql.table(CODES)} (account)`,
    sql`create table if not exists ${sql.table(TEAM_SESSIONS)} (
      id text primary key, hash text not null unique, account text not null, stamp text not null,
      created_at text not null, last_used_at text not null, expires_at text not null, address text not null,
      user_agent text not null)`,
    sql`create index if not exists octavo_team_sessions_account on ${sql.table(TEAM_SESSIONS)} (account)`,
    sql`create table if not exists ${sql.table(SECOND_FACTORS)} (
      account text primary key, secret text not null, confirmed_at text, last_step integer not null,
      recovery_codes text not null)`,
    sql`create table if not exists ${sql.table(INVITATIONS)} (
      id text primary key, hash text not null unique, email text not null, role text not null,
      invited_by text, created_at text not null, expires_at text not null)`,
    sql`create table if not exists ${sql.table(VIEWS)} (
      kind text not null, name text not null, value text not null, primary key (kind, name))`,
    sql`create table if not exists ${sql.table(SAVED_VIEWS)} (
      id text primary key, type text not null, name text not null, query text not null,
      shared integer not null, account text not null)`,
    sql`create table if not exists ${sql.table(PRESENCE)} (
      document text not null, account text not null, since text not null, seen_at text not null,
      editing integer not null, primary key (document, account))`,
    sql`create table if not exists ${sql.table(SIGN_IN_FAILURES)} (account text primary key, until bigint not null)`,
    sql`create index if not exists octavo_sign_in_failures_until on ${sql.table(SIGN_IN_FAILURES)} (until)`,
    sql`create table if not exists ${sql.table(KNOWN_ADDRESSES)} (hash text primary key, until bigint not null)`,
    sql`create index if not exists octavo_known_addresses_until on ${sql.table(KNOWN_ADDRESSES)} (until)`,
  ]
}
