/** Bodies derived from the model: valid documents, nearly valid ones and nonsense. */
import fc from 'fast-check'
import type { Attribute, Model, RelationAttribute, Shape } from '../../src/model/model.ts'
import type { Body, Json } from '../request.ts'
import { anyBody, JSON_TYPE, mangle, mutations, oddTypes } from './any-body.ts'
import { morphs, relations } from './relations.ts'
import { HOSTILE_NAMES } from './samples.ts'
import { anyJson, valueJson } from './values.ts'

/** A key of an object and its value. */
type Member = readonly [string, Json]

/** Bodies for the content-types of a model. */
export interface BodyGrammar {
  /** The `data` of a document. */
  document(shape: Shape): fc.Arbitrary<Json>
  /** A complete body with that data, in one of several encodings. */
  body(shape: Shape): fc.Arbitrary<Body>
}

export function bodyGrammar(model: Model): BodyGrammar {
  const remembered = new Map<string, fc.Arbitrary<Json>>()

  function relation({ target }: RelationAttribute): fc.Arbitrary<Json> {
    return target === null ? morphs(model) : relations(target)
  }

  function component(uid: string, depth: number): fc.Arbitrary<Json> {
    const shape = model.components.get(uid)
    if (!shape || depth <= 0) return fc.constantFrom<Json>(null, {})
    return fc.oneof(
      { weight: 30, arbitrary: values(shape, depth - 1) },
      {
        weight: 4,
        arbitrary: fc
          .tuple(values(shape, depth - 1), fc.nat(60))
          .map(([value, index]): Json => ({ ...Object(value), id: `{{entry ${index}}}` })),
      },
      { weight: 1, arbitrary: anyJson },
    )
  }

  function value(attribute: Attribute, depth: number): fc.Arbitrary<Json> {
    const odd = { weight: 1, arbitrary: anyJson }
    switch (attribute.kind) {
      case 'scalar':
        return valueJson(attribute)
      case 'relation':
        return relation(attribute)
      case 'media':
        return relations('plugin::upload.file')
      case 'component': {
        const one = component(attribute.component, depth)
        return attribute.repeatable
          ? fc.oneof(
              { weight: 30, arbitrary: fc.array(one, { maxLength: 3 }) },
              { weight: 1, arbitrary: one },
              odd,
            )
          : fc.oneof({ weight: 30, arbitrary: one }, { weight: 1, arbitrary: fc.constant(null) }, odd)
      }
      case 'zone': {
        const names = [...attribute.components, 'none.none']
        const one = fc.oneof(
          ...names.map((uid) =>
            component(uid, depth).map((entry): Json => ({ __component: uid, ...Object(entry) })),
          ),
          anyJson,
        )
        return fc.oneof(
          { weight: 30, arbitrary: fc.array(one, { maxLength: 3 }) },
          { weight: 1, arbitrary: one },
          odd,
        )
      }
    }
  }

  /** Objects that usually have the required attributes and some of the others. */
  function values(shape: Shape, depth: number): fc.Arbitrary<Json> {
    const key = `${shape.uid} ${depth}`
    const known = remembered.get(key)
    if (known) return known
    const attributes = [...shape.attributes.values()]
    const member = (attribute: Attribute) =>
      value(attribute, depth).map((json): Member => [attribute.name, json])
    const required = fc.tuple(...attributes.filter((attribute) => attribute.required).map(member))
    const none = fc.constant<readonly Member[]>([])
    const foreign = fc
      .tuple(
        fc.constantFrom(...HOSTILE_NAMES, 'createdAt', 'locale', 'localizations', 'publishedAt'),
        anyJson,
      )
      .map((found): readonly Member[] => [found])
    const made = fc
      .tuple(
        fc.oneof({ weight: 25, arbitrary: required }, { weight: 1, arbitrary: none }),
        attributes.length === 0
          ? none
          : fc.array(fc.oneof(...attributes.map(member)), { maxLength: 5, size: 'max' }),
        fc.oneof({ weight: 60, arbitrary: none }, { weight: 1, arbitrary: foreign }),
      )
      .map((lists): Json => Object.fromEntries(lists.flat()))
    remembered.set(key, made)
    return made
  }

  const document = (shape: Shape) => values(shape, 2)
  return {
    document,
    body: (shape) =>
      fc.oneof(
        {
          weight: 60,
          arbitrary: document(shape).map(
            (data): Body => ({ kind: 'json', type: JSON_TYPE, value: { data } }),
          ),
        },
        {
          weight: 3,
          arbitrary: fc
            .tuple(document(shape), oddTypes)
            .map(([data, type]): Body => ({ kind: 'json', type, value: { data } })),
        },
        {
          weight: 3,
          arbitrary: fc
            .tuple(document(shape), fc.nat(200), mutations)
            .map(([data, at, text]): Body => mangle({ data }, at, text)),
        },
        { weight: 2, arbitrary: anyBody },
      ),
  }
}
