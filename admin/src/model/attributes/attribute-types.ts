/** Every attribute type: its icon, the options that it has, and a new attribute of it. The server's list is the measure. */
import {
  type Icon,
  IconAbc,
  IconAt,
  IconBlockquote,
  IconBoxMultiple,
  IconBraces,
  IconCalendar,
  IconCalendarTime,
  IconClock,
  IconDecimal,
  IconHash,
  IconHistory,
  IconLayoutList,
  IconLetterT,
  IconLink,
  IconLock,
  IconMarkdown,
  IconNumbers,
  IconPhoto,
  IconPuzzle,
  IconSelector,
  IconToggleLeft,
} from '@tabler/icons-react'
import type { ScalarTypeName } from '../../../../src/model/scalars/index.ts'
import type { AttributeSchema } from '../draft/schema.ts'
import type { DefaultInput, Option } from './option.ts'

export type AttributeTypeName = ScalarTypeName | 'media' | 'relation' | 'component' | 'dynamiczone'

const NOT_SCALAR: ReadonlySet<string> = new Set(['media', 'relation', 'component', 'dynamiczone'])

/** Whether attributes of a type have one value, which can be indexed. */
export const isScalar = (type: string) => !NOT_SCALAR.has(type)

export interface AttributeType {
  readonly Icon: Icon
  /** What is asked first: without it the attribute is of little use, or invalid. */
  readonly main: readonly Option[]
  readonly rules: readonly Option[]
  readonly start?: Partial<AttributeSchema>
}

const flag = (key: Extract<Option, { kind: 'flag' }>['key'], byDefault?: true): Option => ({
  kind: 'flag',
  key,
  ...(byDefault && { byDefault }),
})
const byDefault = (input: DefaultInput): Option => ({ kind: 'default', key: 'default', input })
const bounds = (of: 'number' | 'exact' | 'entries'): readonly Option[] => [
  { kind: 'bound', key: 'min', of },
  { kind: 'bound', key: 'max', of },
]

const required = flag('required')
const unique = flag('unique')
const lengths: readonly Option[] = [
  { kind: 'count', key: 'minLength' },
  { kind: 'count', key: 'maxLength' },
]
const pattern: Option = { kind: 'pattern', key: 'regex' }
const localized: Option = { kind: 'localized', key: 'pluginOptions' }

/** What every attribute accepts beside its own options. */
export const COMMON: readonly Option[] = [flag('private'), flag('writable', true)]
const searchable = flag('searchable', true)

const text = (input: DefaultInput): readonly Option[] => [
  required,
  unique,
  localized,
  byDefault(input),
  ...lengths,
  pattern,
  searchable,
]
const number = (of: 'number' | 'exact'): readonly Option[] => [
  required,
  unique,
  localized,
  byDefault(of === 'exact' ? 'text' : 'number'),
  ...bounds(of),
  searchable,
]
const instantRules = (input: DefaultInput): readonly Option[] => [
  required,
  unique,
  localized,
  byDefault(input),
]

export const attributeTypes = {
  string: { Icon: IconLetterT, main: [], rules: text('text') },
  text: { Icon: IconAbc, main: [], rules: text('long') },
  richtext: {
    Icon: IconMarkdown,
    main: [],
    rules: [required, localized, byDefault('long'), ...lengths, searchable],
  },
  blocks: { Icon: IconBlockquote, main: [], rules: [required, localized, searchable] },
  uid: {
    Icon: IconLink,
    main: [
      { kind: 'source', key: 'targetField' },
      { kind: 'generate', key: 'options' },
    ],
    rules: [required, localized, ...lengths, pattern, searchable],
  },
  integer: { Icon: IconNumbers, main: [], rules: number('number') },
  decimal: { Icon: IconDecimal, main: [], rules: number('number') },
  float: { Icon: IconDecimal, main: [], rules: number('number') },
  biginteger: { Icon: IconHash, main: [], rules: number('exact') },
  boolean: { Icon: IconToggleLeft, main: [byDefault('boolean')], rules: [required, localized] },
  date: { Icon: IconCalendar, main: [], rules: instantRules('date') },
  datetime: { Icon: IconCalendarTime, main: [], rules: instantRules('datetime') },
  time: { Icon: IconClock, main: [], rules: instantRules('time') },
  timestamp: { Icon: IconHistory, main: [], rules: instantRules('datetime') },
  enumeration: {
    Icon: IconSelector,
    main: [{ kind: 'words', key: 'enum' }],
    rules: [required, unique, localized, byDefault('choice'), searchable],
    start: { enum: [] },
  },
  media: {
    Icon: IconPhoto,
    main: [flag('multiple'), { kind: 'mediaKinds', key: 'allowedTypes' }],
    rules: [required, localized],
  },
  relation: {
    Icon: IconBoxMultiple,
    main: [{ kind: 'relation', key: 'relation' }],
    rules: [required],
    start: { relation: 'manyToOne' },
  },
  component: {
    Icon: IconPuzzle,
    main: [{ kind: 'component', key: 'component' }, flag('repeatable')],
    rules: [required, localized, ...bounds('entries')],
  },
  dynamiczone: {
    Icon: IconLayoutList,
    main: [{ kind: 'components', key: 'components' }],
    rules: [required, localized, ...bounds('entries')],
    start: { components: [] },
  },
  email: { Icon: IconAt, main: [], rules: text('text') },
  password: { Icon: IconLock, main: [], rules: [required, ...lengths, pattern] },
  json: { Icon: IconBraces, main: [], rules: [required, localized, byDefault('json'), searchable] },
} satisfies Readonly<Record<AttributeTypeName, AttributeType>>

export const isAttributeType = (type: string): type is AttributeTypeName =>
  Object.hasOwn(attributeTypes, type)

/** Fields of other tools are edited as the text that they are stored as. */
export const attributeTypeOf = (type: string): AttributeType =>
  attributeTypes[isAttributeType(type) ? type : 'text']

export const optionsOf = (type: string): readonly Option[] => {
  const { main, rules } = attributeTypeOf(type)
  return [...main, ...rules, ...COMMON]
}

/** A new attribute of a type. */
export const newAttribute = (type: AttributeTypeName): AttributeSchema => {
  const { start }: AttributeType = attributeTypes[type]
  return { type, ...start }
}

/** An attribute as another type: options that the new type has too are kept. */
export function convertAttribute(attribute: AttributeSchema, type: AttributeTypeName): AttributeSchema {
  const kept = new Set<string>(optionsOf(type).map(({ key }) => key))
  // A default of one type is seldom valid for another.
  kept.delete('default')
  const options = Object.entries(attribute).filter(([key]) => kept.has(key) || key === 'renamedFrom')
  return { ...newAttribute(type), ...Object.fromEntries(options), type }
}
