/** The JSON that `/admin/api` returns and accepts. */

export interface Role {
  readonly type: string
  readonly name: string
  readonly access: 'app' | 'admin'
}

export interface User {
  readonly id: number
  readonly documentId: string
  readonly username: string
  readonly email: string
  readonly role: Role
  readonly secondFactor: boolean
}

export interface Session {
  readonly id: string | number
  readonly createdAt: string
  readonly expiresAt: string
  readonly user: User
}

export interface SessionState {
  readonly data: Session | null
  readonly meta: { readonly needsSetup: boolean; readonly passwordMinLength: number; readonly mail: boolean }
}

/** A session as the list of a person's sessions shows it. */
export interface OpenSession {
  readonly id: string | number
  readonly createdAt: string
  readonly lastUsedAt: string
  readonly expiresAt: string
  readonly address: string | null
  readonly userAgent: string | null
  readonly current: boolean
}

export type Status = 'draft' | 'modified' | 'published'

export interface AttributeView {
  readonly name: string
  readonly type: string
  readonly required?: boolean
  readonly unique?: boolean
  readonly localized: boolean
  /** False for private attributes, which can be written but are never returned. */
  readonly readable?: boolean
  readonly writable: { readonly create: boolean; readonly update: boolean }
  readonly default?: unknown
  readonly min?: number | string
  readonly max?: number | string
  readonly minLength?: number
  readonly maxLength?: number
  readonly enum?: readonly string[]
  readonly relation?: string
  readonly target?: string
  readonly component?: string
  readonly components?: readonly string[]
  readonly repeatable?: boolean
  readonly multiple?: boolean
  readonly allowedTypes?: readonly string[]
  readonly targetField?: string
}

export interface FieldView {
  readonly name: string
  readonly label: string
  readonly help: string | null
  readonly placeholder: string | null
  readonly width: number
  readonly hidden: boolean
}

export interface TypeView {
  readonly label: string
  readonly icon: string | null
  readonly mainField: string
  readonly columns: readonly string[]
  readonly pageSize: number
  readonly defaultSort: string
  readonly previewUrl: string | null
  readonly fields: readonly FieldView[]
}

export type Action =
  | 'find'
  | 'create'
  | 'update'
  | 'delete'
  | 'publish'
  | 'unpublish'
  | 'discard'
  | 'readHistory'
  | 'schedule'

export interface ContentTypeView {
  readonly uid: string
  readonly kind: 'collection' | 'single'
  readonly singularName: string
  readonly pluralName: string
  /** The segment of this type in paths below `/content`. */
  readonly path: string
  readonly displayName: string
  readonly description: string | null
  readonly draftAndPublish: boolean
  readonly localized: boolean
  readonly actions: Readonly<Record<Action, boolean>>
  readonly own: boolean
  /** The uid that the content-type had before it was renamed. */
  readonly renamedFrom?: string
  readonly attributes: readonly AttributeView[]
  readonly view: TypeView
}

export interface ComponentView {
  readonly uid: string
  readonly category: string
  readonly displayName: string
  readonly icon: string | null
  readonly attributes: readonly AttributeView[]
}

export interface SavedView {
  readonly id: number | string
  readonly type: string
  readonly name: string
  /** The query of the list's URL. */
  readonly query: string
  readonly shared: boolean
  readonly own: boolean
}

export interface Me {
  readonly user: User
  readonly locales: {
    readonly default: string
    readonly codes: readonly string[]
    /** What the project calls a locale, by code. */
    readonly names: Readonly<Record<string, string>>
  }
  readonly settings: {
    readonly passwordMinLength: number
    readonly maxFileSize: number
    readonly maxFiles: number
    readonly maxPageSize: number
    readonly schemaEditable: boolean
    readonly schemaVersion: number
    readonly serverUrl: string | null
  }
  /** What the configuration of the server enables. */
  readonly features: Readonly<
    Record<'history' | 'schedules' | 'releases' | 'notices' | 'webhooks' | 'audit', boolean>
  >
  readonly permissions: {
    readonly admin: boolean
    readonly upload: Readonly<Record<'find' | 'create' | 'update' | 'delete', boolean>>
    readonly viewConfiguration: boolean
  }
  readonly navigation: {
    readonly groups: readonly { readonly name: string; readonly types: readonly string[] }[]
  }
  readonly contentTypes: readonly ContentTypeView[]
  readonly components: readonly ComponentView[]
  readonly savedViews: readonly SavedView[]
}

/** Who did something. */
export interface Author {
  readonly kind: string
  readonly id?: string
  /** The name that the user or token has now; null if it no longer exists. */
  readonly name?: string | null
}

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
