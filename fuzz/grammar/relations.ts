/** Relation and media values in bodies, valid and invalid. */
import fc from 'fast-check'
import type { Model } from '../../src/model/model.ts'
import type { Json } from '../request.ts'
import { anyJson as anything } from './values.ts'

/** Plain numbers could be ids, which differ between servers. */
function withoutIds(value: Json): Json {
  if (typeof value === 'number') return value > 3 && value < 1e6 ? 99_999_999 : value
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(withoutIds)
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, withoutIds(child)]))
}

const anyJson = anything.map(withoutIds)

/** References to one document. */
function targets(uid: string): fc.Arbitrary<Json> {
  return fc.oneof(
    { weight: 20, arbitrary: fc.nat(40).map((index) => `{{doc ${uid} ${index}}}`) },
    { weight: 10, arbitrary: fc.nat(40).map((index) => `{{id ${uid} ${index}}}`) },
    { weight: 6, arbitrary: fc.nat(40).map((index) => ({ documentId: `{{doc ${uid} ${index}}}` })) },
    { weight: 6, arbitrary: fc.nat(40).map((index) => ({ id: `{{id ${uid} ${index}}}` })) },
    {
      weight: 1,
      arbitrary: fc
        .nat(40)
        .map((index) => ({ id: `{{id ${uid} ${index}}}`, documentId: `{{doc ${uid} ${index + 1}}}` })),
    },
    {
      weight: 1,
      arbitrary: fc
        .nat(40)
        .map((index) => ({ documentId: `{{doc ${uid} ${index}}}`, locale: 'fr', status: 'draft' })),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom<Json>(
        0,
        -1,
        99999999,
        1e20,
        1.5,
        '',
        'nobody',
        '99999999',
        null,
        true,
        {},
        { id: null },
      ),
    },
  )
}

function positions(uid: string): fc.Arbitrary<Json> {
  const anchor = targets(uid)
  return fc.oneof(
    fc.constantFrom<Json>(
      { start: true },
      { end: true },
      { start: false },
      {},
      { start: true, end: true },
      'start',
      null,
      { middle: 1 },
    ),
    anchor.map((before) => ({ before })),
    anchor.map((after) => ({ after })),
  )
}

/** Values for a relation to a content-type. */
export function relations(uid: string): fc.Arbitrary<Json> {
  const one = targets(uid)
  const list = fc.array(one, { maxLength: 4 })
  const placed = fc
    .tuple(one, positions(uid))
    .map(
      ([target, position]): Json =>
        typeof target === 'object' && target !== null
          ? { ...target, position }
          : { documentId: target, position },
    )
  const connected = fc.array(fc.oneof(one, placed), { maxLength: 4 })
  return fc.oneof(
    { weight: 12, arbitrary: list },
    { weight: 8, arbitrary: one },
    { weight: 12, arbitrary: connected.map((connect) => ({ connect })) },
    { weight: 6, arbitrary: list.map((disconnect) => ({ disconnect })) },
    { weight: 6, arbitrary: list.map((set) => ({ set })) },
    {
      weight: 6,
      arbitrary: fc.tuple(connected, list).map(([connect, disconnect]) => ({ connect, disconnect })),
    },
    { weight: 1, arbitrary: fc.tuple(connected, list).map(([connect, set]) => ({ connect, set })) },
    { weight: 1, arbitrary: one.map((connect) => ({ connect })) },
    { weight: 1, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: anyJson },
  )
}

/** Values for a polymorphic relation: targets with their type. */
export function morphs(model: Model): fc.Arbitrary<Json> {
  const uids = [...model.endpoints.values()].map(({ uid }) => uid)
  const one = fc
    .tuple(fc.constantFrom(...uids, 'api::none.none', ''), fc.nat(40), fc.constantFrom('id', 'doc'))
    .map(
      ([uid, index, kind]): Json =>
        kind === 'id'
          ? { __type: uid, id: `{{id ${uid || 'x'} ${index}}}` }
          : { __type: uid, documentId: `{{doc ${uid || 'x'} ${index}}}` },
    )
  const list = fc.array(one, { maxLength: 3 })
  return fc.oneof(
    one,
    list,
    list.map((set): Json => ({ set })),
    list.map((connect): Json => ({ connect })),
    anyJson,
  )
}
