import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ATTRIBUTE_KEYS } from '../../../../src/model/schema/read-attribute.ts'
import { problemsOf } from '../../../../test/support/schemas.ts'
import {
  attributeTypes,
  convertAttribute,
  isAttributeType,
  newAttribute,
  optionsOf,
} from './attribute-types.ts'

/** Set by the type itself, by renames, by both sides of a relation, or by other tools. */
const NOT_OPTIONS = new Set([
  ...['type', 'renamedFrom', 'configurable', 'customField', 'baseType'],
  ...['target', 'inversedBy', 'mappedBy', 'morphBy'],
])

const typeNames = Object.keys(attributeTypes).filter(isAttributeType)

describe('the attribute types of the model editor', () => {
  test('offer every option that the server reads', () => {
    const offered = new Set<string>(typeNames.flatMap((type) => optionsOf(type).map(({ key }) => key)))
    assert.deepEqual(
      ATTRIBUTE_KEYS.filter((key) => !NOT_OPTIONS.has(key) && !offered.has(key)),
      [],
    )
  })

  test('start with what the server accepts, apart from what people must choose', () => {
    const chosen = new Set(['relation', 'component', 'enumeration'])
    const attributes = typeNames.filter((type) => !chosen.has(type)).map((type) => [type, newAttribute(type)])
    assert.deepEqual(problemsOf({ 'api::a.a': { attributes: Object.fromEntries(attributes) } }), [])
  })

  test('keep the options that the new type of an attribute has too', () => {
    const text = {
      type: 'string',
      required: true,
      maxLength: 5,
      default: 'x',
      private: true,
      renamedFrom: 'old',
    }
    assert.deepEqual(convertAttribute(text, 'text'), {
      type: 'text',
      required: true,
      maxLength: 5,
      private: true,
      renamedFrom: 'old',
    })
    assert.deepEqual(convertAttribute(text, 'integer'), {
      type: 'integer',
      required: true,
      private: true,
      renamedFrom: 'old',
    })
  })
})
