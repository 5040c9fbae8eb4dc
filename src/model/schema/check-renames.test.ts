import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { modelOfSchemas, problemsOf } from '../../../test/support/schemas.ts'

const A = 'src/api/a/content-types/a/schema.json'
const PART = 'src/components/shared/part.json'

const type = (attributes: object, more: object = {}) => ({ attributes, ...more })
const was = (renamedFrom: unknown) => ({ type: 'string', renamedFrom })

describe('renamedFrom', () => {
  test('is the former name of an attribute, a content-type or a component', () => {
    const { types, components } = modelOfSchemas({
      'api::a.a': type({ x: was('y') }, { renamedFrom: 'b' }),
      'api::c.c': type({}, { info: { renamedFrom: 'api::d.e' } }),
      'shared.part': type({ n: was('m') }, { renamedFrom: 'piece' }),
      'shared.seo': type({}, { info: { renamedFrom: 'meta.seo' } }),
    })
    assert.equal(types.get('api::a.a')?.renamedFrom, 'api::b.b')
    assert.equal(types.get('api::a.a')?.attributes.get('x')?.renamedFrom, 'y')
    assert.equal(types.get('api::c.c')?.renamedFrom, 'api::d.e')
    assert.equal(components.get('shared.part')?.renamedFrom, 'shared.piece')
    assert.equal(components.get('shared.part')?.attributes.get('n')?.renamedFrom, 'm')
    assert.equal(components.get('shared.seo')?.renamedFrom, 'meta.seo')
  })

  test('may be the current name, which has no effect', () => {
    assert.deepEqual(problemsOf({ 'api::a.a': type({ x: was('x') }, { renamedFrom: 'a' }) }), [])
  })

  test('is refused while the former name is still in use', () => {
    const schemas = {
      'api::a.a': type({ x: was('y'), y: { type: 'string' } }, { renamedFrom: 'b' }),
      'api::b.b': type({}),
      'shared.part': type({ n: was('m'), m: { type: 'string' } }, { renamedFrom: 'shared.seo' }),
      'shared.seo': type({}),
    }
    const still = (name: string) => `"${name}" still exists; remove it, or remove renamedFrom`
    assert.deepEqual(problemsOf(schemas).sort(), [
      `${A}: attributes.x.renamedFrom: ${still('y')}`,
      `${A}: renamedFrom: ${still('api::b.b')}`,
      `${PART}: attributes.n.renamedFrom: ${still('m')}`,
      `${PART}: renamedFrom: ${still('shared.seo')}`,
    ])
  })

  test('is refused where two claim the same former name', () => {
    assert.deepEqual(problemsOf({ 'api::a.a': type({ x: was('old'), y: was('old') }) }), [
      `${A}: attributes.y.renamedFrom: "x" was already renamed from "old"`,
    ])
  })

  test('cannot swap two names in one step', () => {
    const lines = problemsOf({ 'api::a.a': type({ x: was('y'), y: was('x') }) })
    assert.equal(lines.length, 2)
    for (const line of lines) assert.match(line, /still exists/)
  })

  test('is refused when it is not a string', () => {
    assert.deepEqual(problemsOf({ 'api::a.a': type({ x: was(3) }) }), [
      `${A}: attributes.x.renamedFrom: must be a string`,
    ])
  })
})
