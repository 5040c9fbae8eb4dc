/** The options of attributes: each says which key of the schema it sets, and how it is entered. */
import type { AttributeSchema } from '../draft/schema.ts'

/** The keys of attributes whose values have a type. The index signature of attributes is left out. */
type KnownKey<Value> = {
  [Key in keyof AttributeSchema as string extends Key ? never : Key]-?: NonNullable<
    AttributeSchema[Key]
  > extends Value
    ? Key
    : never
} extends infer Keys
  ? Extract<Keys[keyof Keys], string>
  : never

export type DefaultInput =
  | 'text'
  | 'long'
  | 'number'
  | 'boolean'
  | 'date'
  | 'time'
  | 'datetime'
  | 'choice'
  | 'json'

export type Option =
  | { readonly kind: 'flag'; readonly key: KnownKey<boolean>; readonly byDefault?: true }
  | { readonly kind: 'count'; readonly key: 'minLength' | 'maxLength' }
  /** `exact` keeps the digits of integers beyond 2^53. */
  | { readonly kind: 'bound'; readonly key: 'min' | 'max'; readonly of: 'number' | 'exact' | 'entries' }
  | { readonly kind: 'pattern'; readonly key: 'regex' }
  | { readonly kind: 'words'; readonly key: 'enum' }
  | { readonly kind: 'default'; readonly key: 'default'; readonly input: DefaultInput }
  | { readonly kind: 'source'; readonly key: 'targetField' }
  | { readonly kind: 'generate'; readonly key: 'options' }
  | { readonly kind: 'localized'; readonly key: 'pluginOptions' }
  | { readonly kind: 'mediaKinds'; readonly key: 'allowedTypes' }
  | { readonly kind: 'component'; readonly key: 'component' }
  | { readonly kind: 'components'; readonly key: 'components' }
  | { readonly kind: 'relation'; readonly key: 'relation' }
