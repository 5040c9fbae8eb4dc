import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { modelOfSchemas } from '../../test/support/schemas.ts'
import { clientChanges } from './client-changes.ts'

type Schemas = Parameters<typeof modelOfSchemas>[0]

const type = (attributes: object, more: object = {}) => ({ attributes, ...more })
const text = { type: 'string' }

const changesBetween = (before: Schemas, after: Schemas) =>
  clientChanges(modelOfSchemas(before), modelOfSchemas(after)).map(
    ({ words, breaking }) => `${breaking ? '!' : ' '} ${words}`,
  )

describe('what clients of the API notice', () => {
  test('paths appear, disappear and move', () => {
    const info = (singularName: string, pluralName: string) => ({ info: { singularName, pluralName } })
    assert.deepEqual(
      changesBetween(
        { 'api::a.a': type({}, info('a', 'as')), 'api::b.b': type({}, info('b', 'bs')) },
        { 'api::a.a': type({}, info('a', 'letters')), 'api::c.c': type({}, info('c', 'cs')) },
      ),
      ['! /api/bs is no longer served', '  /api/cs is new', '! /api/as is now /api/letters'],
    )
  })

  test('fields appear, disappear, get another name and another type', () => {
    assert.deepEqual(
      changesBetween(
        { 'api::a.a': type({ gone: text, old: text, n: text, hidden: text }) },
        {
          'api::a.a': type({
            name: { ...text, renamedFrom: 'old' },
            n: { type: 'integer' },
            hidden: { ...text, private: true },
            more: { type: 'datetime' },
          }),
        },
      ),
      [
        '! /api/as: gone disappears',
        '  /api/as: more is new (datetime, as string)',
        '! /api/as: old is now name',
        '! /api/as: n changes from string to integer, as number',
        '! /api/as: hidden disappears',
      ],
    )
  })

  test('attributes that must be sent from now on, unless they have a default', () => {
    assert.deepEqual(
      changesBetween(
        { 'api::a.a': type({ a: text, b: text }) },
        {
          'api::a.a': type({ a: { ...text, required: true }, b: { ...text, required: true, default: 'x' } }),
        },
      ),
      ['! /api/as: a must be sent'],
    )
  })

  test('drafts, locales and what a component holds', () => {
    const i18n = { pluginOptions: { i18n: { localized: true } } }
    assert.deepEqual(
      changesBetween(
        { 'api::a.a': type({}, i18n), 'shared.part': type({ one: text }) },
        {
          'api::a.a': type({}, { options: { draftAndPublish: true } }),
          'shared.piece': type({ two: { ...text, renamedFrom: 'one' } }, { renamedFrom: 'shared.part' }),
        },
      ),
      [
        '  /api/as: documents have a draft and a published version; status=draft reads drafts',
        '! /api/as: documents have no locales; the field locale disappears',
        '! entries of dynamic zones: __component "shared.part" is now "shared.piece"',
        '! component shared.piece: one is now two',
      ],
    )
  })

  test('a change that they do not notice is not listed', () => {
    assert.deepEqual(
      changesBetween(
        { 'api::a.a': type({ a: text, b: text }) },
        {
          'api::a.a': type(
            { b: { ...text, maxLength: 5 }, a: { ...text, unique: true } },
            { info: { displayName: 'A' } },
          ),
        },
      ),
      [],
    )
  })
})
