/** What clients of the content API notice when the model changes: paths, and fields of responses and requests. Pure. */
import type { Attribute, ContentType, Model } from '../model/model.ts'
import { segmentOf } from '../model/naming.ts'
import { isServed } from '../model/privacy.ts'
import { scalarTypes } from '../model/scalars/index.ts'
import type { MatchedComponent, MatchedShape } from '../store/migration/plan/change.ts'
import { matchAttributes, matchModels } from '../store/migration/plan/match-models.ts'

export interface ClientChange {
  /** `path` for what is at an address, `field` for what is in a response, `input` for what requests must send. */
  readonly kind: 'path' | 'field' | 'input'
  /** Whether a client that works today may fail. */
  readonly breaking: boolean
  /** The uid of the content-type or component. */
  readonly uid: string
  readonly words: string
}

export function clientChanges(previous: Model, next: Model): readonly ClientChange[] {
  const { types, components, addedTypes, droppedTypes } = matchModels(previous, next)
  return [
    ...droppedTypes
      .filter(isInApi)
      .map((type) => pathChange(type, true, `${pathOf(type)} is no longer served`)),
    ...addedTypes.filter(isInApi).map((type) => pathChange(type, false, `${pathOf(type)} is new`)),
    ...types.flatMap((match) => [...typeChanges(match.previous, match.next), ...fieldChanges(match)]),
    ...components.flatMap((match) => [...renamedComponent(match), ...fieldChanges(match)]),
  ]
}

/** Entries of dynamic zones name their component. */
const renamedComponent = ({ previous, next }: MatchedComponent): ClientChange[] =>
  previous.uid === next.uid
    ? []
    : [
        {
          kind: 'field',
          breaking: true,
          uid: next.uid,
          words: `entries of dynamic zones: __component "${previous.uid}" is now "${next.uid}"`,
        },
      ]

const isInApi = ({ generated }: ContentType) => generated
const pathOf = (type: ContentType) => `/api/${segmentOf(type)}`

const pathChange = ({ uid }: ContentType, breaking: boolean, words: string): ClientChange => ({
  kind: 'path',
  breaking,
  uid,
  words,
})

function typeChanges(previous: ContentType, next: ContentType): ClientChange[] {
  if (!next.generated) return []
  const [from, to] = [pathOf(previous), pathOf(next)]
  return [
    ...(from === to ? [] : [pathChange(next, true, `${from} is now ${to}`)]),
    ...(previous.kind === next.kind
      ? []
      : [
          pathChange(
            next,
            true,
            `${to} returns ${next.kind === 'single' ? 'one document' : 'a list of documents'}`,
          ),
        ]),
    ...switched(previous.draftAndPublish, next.draftAndPublish, {
      on: pathChange(
        next,
        false,
        `${to}: documents have a draft and a published version; status=draft reads drafts`,
      ),
      off: pathChange(
        next,
        true,
        `${to}: documents have one version; status and publishing are no longer supported`,
      ),
    }),
    ...switched(previous.localized, next.localized, {
      on: pathChange(next, false, `${to}: documents have locales; the parameter locale selects one`),
      off: pathChange(next, true, `${to}: documents have no locales; the field locale disappears`),
    }),
  ]
}

const switched = (
  before: boolean,
  after: boolean,
  { on, off }: Readonly<Record<'on' | 'off', ClientChange>>,
) => (before === after ? [] : [after ? on : off])

/** How messages name the content-type or component: by the path that serves it, if there is one. */
const placeOf = ({ next }: MatchedShape) =>
  next.kind === 'component' ? `component ${next.uid}` : next.generated ? pathOf(next) : next.uid

function fieldChanges(on: MatchedShape): ClientChange[] {
  const place = placeOf(on)
  const { uid } = on.next
  const field = (breaking: boolean, words: string): ClientChange => ({
    kind: 'field',
    breaking,
    uid,
    words: `${place}: ${words}`,
  })
  const input = (words: string): ClientChange => ({
    kind: 'input',
    breaking: true,
    uid,
    words: `${place}: ${words}`,
  })
  const { matched, added, dropped } = matchAttributes(on)
  return [
    ...dropped.filter(isServed).map(({ name }) => field(true, `${name} disappears`)),
    ...added
      .filter(isServed)
      .map((attribute) => field(false, `${attribute.name} is new (${jsonOf(attribute)})`)),
    ...added.filter(mustBeSent).map(({ name }) => input(`${name} must be sent`)),
    ...matched.flatMap(({ previous, next }) => [
      ...servedChange(previous, next).map(({ breaking, words }) => field(breaking, words)),
      ...(mustBeSent(next) && !mustBeSent(previous) ? [input(`${next.name} must be sent`)] : []),
      ...(next.writable === false && previous.writable !== false
        ? [input(`${next.name} can no longer be sent`)]
        : []),
    ]),
  ]
}

/** The change of one field in responses; at most one. */
function servedChange(previous: Attribute, next: Attribute): { breaking: boolean; words: string }[] {
  const { name } = next
  if (!isServed(previous))
    return isServed(next) ? [{ breaking: false, words: `${name} is new (${jsonOf(next)})` }] : []
  if (!isServed(next)) return [{ breaking: true, words: `${previous.name} disappears` }]
  const [from, to] = [jsonOf(previous), jsonOf(next)]
  if (previous.name !== name)
    return [{ breaking: true, words: `${previous.name} is now ${name}${from === to ? '' : ` (${to})`}` }]
  return from === to ? [] : [{ breaking: true, words: `${name} changes from ${from} to ${to}` }]
}

const mustBeSent = (attribute: Attribute) =>
  attribute.required &&
  attribute.writable !== false &&
  !(attribute.kind === 'scalar' && (attribute.default !== undefined || attribute.generate))

const quote = (text: string) => `"${text}"`

/** What an attribute is in a response. */
function jsonOf(attribute: Attribute): string {
  switch (attribute.kind) {
    case 'scalar': {
      const served = scalarTypes[attribute.type].documentation.typescript.served(attribute, quote).join(' | ')
      return served === attribute.type ? served : `${attribute.type}, as ${served}`
    }
    case 'media':
      return attribute.multiple ? 'a list of files' : 'a file'
    case 'relation': {
      const target = attribute.target === null ? '' : ` of ${attribute.target}`
      return `${attribute.many ? 'a list of documents' : 'a document'}${target}`
    }
    case 'component':
      return `${attribute.repeatable ? 'a list of entries' : 'an entry'} of ${attribute.component}`
    case 'zone':
      return `a list of entries of ${attribute.components.join(', ')}`
  }
}
