/** The start of every generated file: types that do not depend on the project. */

/** Names that the prelude declares or uses. */
export const RESERVED = [
  'Block',
  'BlockImage',
  'BlockList',
  'Blocks',
  'Connect',
  'EveryType',
  'FileFormat',
  'Id',
  'Inline',
  'InlineLink',
  'InlineText',
  'Json',
  'ListItem',
  'MorphConnect',
  'MorphInput',
  'MorphReference',
  'Position',
  'Record',
  'Reference',
  'RelationChange',
  'RelationSet',
  'Schema',
  'ToManyInput',
  'ToOneInput',
]

export const PRELUDE = `/** A numeric id or a documentId. */
export type Id = number | string

/** A reference to a document: its documentId, its numeric id, or an object with one of them. */
export type Reference = Id | { id: Id } | { documentId: string }

/** The position of a connected document. */
export type Position =
  | { before: Id; after?: never; start?: never; end?: never }
  | { after: Id; before?: never; start?: never; end?: never }
  | { start: true; before?: never; after?: never; end?: never }
  | { end: true; before?: never; after?: never; start?: never }

/** A document to connect; without a position, at the end. */
export type Connect =
  | Reference
  | { id: Id; position?: Position }
  | { documentId: string; position?: Position }

/** Connects and disconnects documents, and keeps the others. */
export interface RelationChange {
  connect?: Connect[]
  disconnect?: Reference[]
  set?: never
}

/** Replaces all related documents, in this order. */
export interface RelationSet {
  set: Reference[]
  connect?: never
  disconnect?: never
}

export type ToOneInput = Reference | RelationChange | RelationSet | null

export type ToManyInput = Reference[] | RelationChange | RelationSet | null

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

export interface InlineText {
  type: 'text'
  text: string
  bold?: boolean
  italic?: boolean
  underline?: boolean
  strikethrough?: boolean
  code?: boolean
}

export interface InlineLink {
  type: 'link'
  url: string
  children: Inline[]
}

export type Inline = InlineText | InlineLink

export interface ListItem {
  type: 'list-item'
  children: Inline[]
}

export interface BlockList {
  type: 'list'
  format: 'ordered' | 'unordered'
  children: (ListItem | BlockList)[]
}

export interface BlockImage {
  type: 'image'
  image: { url: string; alternativeText?: string | null; [key: string]: Json | undefined }
  children?: Inline[]
}

export type Block =
  | { type: 'paragraph' | 'quote' | 'code'; children: Inline[] }
  | { type: 'heading'; level: 1 | 2 | 3 | 4 | 5 | 6; children: Inline[] }
  | BlockList
  | BlockImage

export type Blocks = Block[]

/** A smaller version of an image. */
export interface FileFormat {
  name: string
  hash: string
  ext: string
  mime: string
  path: string | null
  width: number
  height: number
  size: number
  sizeInBytes: number
  url: string
}
`

/** Only for projects with polymorphic relations. */
export const MORPH_PRELUDE = `/** A reference to a document of any content-type. */
export type MorphReference =
  | { __type: keyof EveryType; id: Id }
  | { __type: keyof EveryType; documentId: string }

export type MorphConnect = MorphReference & { position?: Position }

export type MorphInput =
  | MorphReference[]
  | { connect?: MorphConnect[]; disconnect?: MorphReference[]; set?: never }
  | { set: MorphReference[]; connect?: never; disconnect?: never }
  | null
`
