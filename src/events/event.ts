/** An event: what a change record means for those who follow the content. */
import type { ChangeRecord } from '../documents/changes/change-record.ts'
import { FILE } from '../model/model.ts'

export const EVENT_NAMES = [
  'document.create',
  'document.update',
  'document.publish',
  'document.unpublish',
  'document.discard',
  'document.delete',
  'file.upload',
  'file.update',
  'file.delete',
] as const

export interface StoredEvent {
  /** Strictly ordered by visibility: whoever has read a number never meets a smaller one later. */
  readonly seq: number
  readonly event: string
  readonly at: string
  /** uid of the content-type. */
  readonly type: string
  readonly documentId: string
  /** Null on types that are not localized. */
  readonly locale: string | null
  /** Whether it concerns the published version; otherwise only drafts have changed. */
  readonly published: boolean
  /** `user:<documentId>`, `token:<id>`, `public` or `system`. */
  readonly author: string
  readonly requestId: string | null
  /** What a removal has deleted, as `removed-content.ts` stores it; null for other events. */
  readonly removed: string | null
}

export const eventNameOf = ({ type, action }: Pick<ChangeRecord, 'type' | 'action'>): string =>
  `${type.uid === FILE ? 'file' : 'document'}.${action}`
