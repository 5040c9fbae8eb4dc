/** A record of the audit log: who did what, when, from where and to what. */
import { hash } from 'node:crypto'
import type { Origin } from '../../documents/changes/origin.ts'
import type { Principal } from '../../query/scope.ts'

/** Who does something, and the request that it comes with. */
export interface Actor {
  readonly by: Principal
  /** Null for what no request causes, such as a command. */
  readonly origin: Origin | null
}

export const SYSTEM: Actor = { by: { kind: 'system' }, origin: null }

/** What was done. Nothing in it may be secret. */
export interface AuditEntry {
  /** A noun and a verb, such as `token.create`. */
  readonly action: string
  /** uid of a content-type, and a document of it. */
  readonly type?: string
  readonly documentId?: string
  /** Absent or '' for what has no locale. */
  readonly locale?: string
  /** Names of the attributes or settings that changed. */
  readonly fields?: readonly string[]
  /** Small values that describe it, such as the name of a token. */
  readonly details?: Readonly<Record<string, string | number | boolean | null>>
}

/** A record without its hash. The order of its members is part of the hash. */
export interface AuditContent {
  /** Without gaps. */
  readonly seq: number
  readonly at: string
  readonly action: string
  readonly by: { readonly kind: string; readonly id?: string }
  readonly type: string | null
  readonly documentId: string | null
  /** Null for what has no locale. */
  readonly locale: string | null
  readonly fields: readonly string[]
  readonly details: AuditEntry['details'] | null
  readonly address: string | null
  readonly userAgent: string | null
  readonly requestId: string | null
}

export interface AuditRecord extends AuditContent {
  /** Depends on this record and on the hash of the one before, and so on all records before. */
  readonly hash: string
}

/** SHA-256 of the hash of the record before, a line break, and the record as JSON without its hash. */
export const chainHash = (previous: string, content: AuditContent): string =>
  hash('sha256', `${previous}\n${JSON.stringify(content)}`)
