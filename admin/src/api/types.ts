/**
 * The JSON that `/admin/api` returns. What depends on the content-types of a project, documents and files, is written by
 * hand: the OpenAPI document describes them for one project.
 */

import type { Responses } from './schema.ts'

export type Data<Operation extends keyof Responses> = Responses[Operation] extends {
  readonly data: infer Data
}
  ? Data
  : never

export type SessionState = Responses['GET /session']

/** A session as the list of a person's sessions shows it. */
export type OpenSession = Data<'GET /sessions'>[number]

export type Me = Data<'GET /me'>
export type ContentTypeView = Me['contentTypes'][number]
export type ComponentView = Me['components'][number]
export type AttributeView = ContentTypeView['attributes'][number]
export type TypeView = ContentTypeView['view']
export type FieldView = TypeView['fields'][number]
export type SavedView = Me['savedViews'][number]

export type Status = 'draft' | 'modified' | 'published'

/** Who did something. */
export type Author = Data<'GET /home'>['mine'][number]['by']

export type Person = { readonly id: number; readonly name: string } | { readonly token: string }

export interface DocumentMeta {
  readonly status: Status
  readonly createdBy: Person | null
  readonly updatedBy: Person | null
  readonly locales?: Readonly<Record<string, Status>>
  readonly usedBy?: number
}

/** A document as the server returns it: its attributes beside these members. */
export interface ContentDocument {
  readonly id?: number
  readonly documentId: string
  readonly createdAt?: string
  readonly updatedAt?: string
  readonly publishedAt?: string | null
  readonly locale?: string | null
  readonly __meta?: DocumentMeta
  readonly [attribute: string]: unknown
}

export interface Page {
  readonly data: readonly ContentDocument[]
  readonly meta: {
    readonly pagination: {
      readonly pageSize?: number
      readonly total?: number
      readonly nextCursor?: string | null
    }
  }
}

export interface MediaFile {
  readonly id: number
  readonly documentId: string
  readonly name: string
  readonly alternativeText: string | null
  readonly caption: string | null
  readonly width: number | null
  readonly height: number | null
  readonly formats: Readonly<Record<string, { readonly url: string }>> | null
  readonly ext: string | null
  readonly mime: string
  /** In kilobytes. */
  readonly size: number
  readonly url: string
  readonly focalPoint?: { readonly x: number; readonly y: number } | null
  readonly createdAt?: string
  /** Where the library shows it. */
  readonly __meta?: {
    /** Absent for people who may not see folders. */
    readonly folder?: string
    /** In percent of the original image. */
    readonly crop: Crop | null
  }
}

export interface Crop {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** The problem with one value of a request. */
export interface ValueProblem {
  readonly path: readonly (string | number)[]
  readonly message: string
}
