/** Generates random content for a random model, as a list of writes. */
import fc from 'fast-check'
import type { Json } from '../reference/recording.ts'
import {
  DEFAULT_LOCALE,
  LOCALES,
  type RandomAttribute,
  type RandomModel,
  type RandomType,
} from './random-model.ts'
import { valueOrNull } from './values.ts'

/** The values sent for a document or an entry, by attribute. Others stay unchanged. */
export interface Data {
  readonly scalars: Readonly<Record<string, Json>>
  /** Keys of the related documents, in order. */
  readonly links: Readonly<Record<string, readonly string[]>>
  /** The entries of components and zones; one at most where the component is single. */
  readonly entries: Readonly<Record<string, readonly WrittenEntry[]>>
}

export interface WrittenEntry {
  readonly component: string
  readonly data: Data
}

/** One request: creates the document when its key is new. */
export interface Write {
  readonly type: string
  readonly key: string
  readonly locale: string
  readonly publish: boolean
  readonly data: Data
}

const NOTHING: Data = { scalars: {}, links: {}, entries: {} }

/** A document to create: its key, and its locales in the order in which they are written. */
interface Outline {
  readonly type: RandomType
  readonly key: string
  readonly locales: readonly string[]
}

const outlinesOf = (model: RandomModel): fc.Arbitrary<readonly Outline[]> =>
  fc
    .tuple(
      ...model.types.map((type) =>
        fc.array(
          fc.shuffledSubarray([...LOCALES], { minLength: 1 }),
          type.single ? { maxLength: 1 } : { minLength: 1, maxLength: 6 },
        ),
      ),
    )
    .map((documents) =>
      model.types.flatMap((type, place) =>
        (documents[place] ?? []).map((locales, index) => ({
          type,
          key: `${type.name}${index}`,
          locales: type.localized ? locales : [DEFAULT_LOCALE],
        })),
      ),
    )

/** Four rounds of writes: scalars; relations and components; publication; later changes to some drafts. */
export const contentArbitrary = (model: RandomModel): fc.Arbitrary<readonly Write[]> =>
  outlinesOf(model).chain((outlines) => {
    const versions = outlines.flatMap(({ type, key, locales }) =>
      locales.map((locale) => ({ type, key, locale })),
    )
    const write = (
      { type, key, locale }: (typeof versions)[number],
      publish: boolean,
      data: Data,
    ): Write => ({
      type: type.name,
      key,
      locale,
      publish,
      data,
    })
    const scalars = versions
      .filter(({ key, locale }) => outlines.find((one) => one.key === key)?.locales[0] === locale)
      .map((version) =>
        scalarsOf(version.type.attributes, version.key).map((data) => write(version, false, data)),
      )
    const relations = versions.map((version) =>
      fc
        .tuple(
          scalarsOf(version.type.attributes, version.key),
          restOf(model, version.type.attributes, version.key, outlines),
        )
        .map(([some, rest]) => write(version, false, { ...rest, scalars: some.scalars })),
    )
    const publications = versions
      .filter(({ type }) => type.drafts)
      .map((version) => fc.option(fc.constant(write(version, true, NOTHING)), { freq: 3 }))
    const changes = versions.map((version) =>
      fc.option(
        scalarsOf(version.type.attributes, version.key).map((data) => write(version, false, data)),
        { freq: 1 },
      ),
    )
    return fc
      .tuple(
        fc.tuple(...scalars),
        fc.tuple(...relations),
        fc.tuple(...publications).chain((list) => fc.shuffledSubarray(list, { minLength: list.length })),
        fc.tuple(...changes),
      )
      .map((rounds) => rounds.flat().filter((one) => one !== null))
  })

type Attributes = Readonly<Record<string, RandomAttribute>>

const scalarsOf = (attributes: Attributes, key: string): fc.Arbitrary<Data> =>
  fc
    .record(
      Object.fromEntries(
        Object.entries(attributes).flatMap(([name, attribute]) =>
          attribute.kind === 'scalar' ? [[name, scalarValue(attribute.type, key)]] : [],
        ),
      ),
      { requiredKeys: [] },
    )
    .map((scalars) => ({ ...NOTHING, scalars: defined(scalars) }))

const defined = (values: Readonly<Record<string, Json | undefined>>): Record<string, Json> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )

/** A uid must be unique, so it contains the key of the document. */
const scalarValue = (type: Extract<RandomAttribute, { kind: 'scalar' }>['type'], key: string) =>
  valueOrNull(type).map((value) => (type === 'uid' && value !== null ? `${value}-${key}` : value))

const restOf = (
  model: RandomModel,
  attributes: Attributes,
  key: string,
  outlines: readonly Outline[],
): fc.Arbitrary<Data> =>
  fc
    .record({
      links: fc.record(
        Object.fromEntries(
          Object.entries(attributes).flatMap(([name, attribute]) =>
            attribute.kind === 'relation' && attribute.inverseOf === null
              ? [[name, linksOf(attribute, key, outlines)]]
              : [],
          ),
        ),
      ),
      entries: fc.record(
        Object.fromEntries(
          Object.entries(attributes).flatMap(([name, attribute]) =>
            attribute.kind === 'component' || attribute.kind === 'zone'
              ? [[name, entriesOf(model, attribute, outlines)]]
              : [],
          ),
        ),
      ),
    })
    .map((rest) => ({ ...NOTHING, ...rest }))

const numberOf = (key: string) => Number(/\d+$/.exec(key)?.[0])

/** A target of an exclusive relation is used by one document only, so that no document loses a relation. */
function linksOf(
  { target, many, exclusive }: Extract<RandomAttribute, { kind: 'relation' }>,
  key: string,
  outlines: readonly Outline[],
): fc.Arbitrary<readonly string[]> {
  const targets = outlines
    .filter(({ type }) => (target === null ? !type.single : type.name === target))
    .map((outline) => outline.key)
    .filter((one) => !exclusive || numberOf(one) === numberOf(key) + 1)
  return fc.shuffledSubarray(targets, { maxLength: many ? targets.length : Math.min(1, targets.length) })
}

function entriesOf(
  model: RandomModel,
  attribute: Extract<RandomAttribute, { kind: 'component' | 'zone' }>,
  outlines: readonly Outline[],
): fc.Arbitrary<readonly WrittenEntry[]> {
  const entry = (component: string): fc.Arbitrary<WrittenEntry> => {
    const attributes = model.components.find(({ name }) => name === component)?.attributes ?? {}
    // A uid belongs to one entry of one document only. With a bias, small numbers would come up several times.
    const scalars = fc.noBias(fc.nat(2 ** 30)).chain((number) => scalarsOf(attributes, `entry${number}`))
    return fc
      .tuple(scalars, restOf(model, attributes, '', outlines))
      .map(([{ scalars }, rest]) => ({ component, data: { ...rest, scalars } }))
  }
  return attribute.kind === 'zone'
    ? fc.array(fc.oneof(...attribute.components.map(entry)), { maxLength: 3 })
    : fc.array(entry(attribute.component), { maxLength: attribute.repeatable ? 3 : 1 })
}
