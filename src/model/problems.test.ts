import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { problemsOf, type Schemas } from '../../test/support/schemas.ts'
import { USER } from './model.ts'

const A = 'src/api/a/content-types/a/schema.json'
const B = 'src/api/b/content-types/b/schema.json'

/** A content-type `a` with one attribute `x`. */
const withX = (x: unknown, others: Schemas = {}): Schemas => ({
  'api::a.a': { attributes: { x } },
  ...others,
})

/** Schemas with one problem each, and the reported line. */
function testEach(cases: Readonly<Record<string, readonly [schemas: Schemas, line: string]>>) {
  for (const [what, [schemas, line]] of Object.entries(cases)) {
    test(what, () => assert.deepEqual(problemsOf(schemas), [line]))
  }
}

const relation = (declaration: object) => ({
  type: 'relation',
  relation: 'manyToOne',
  target: 'api::b.b',
  ...declaration,
})
const pair = (x: object, y: object | null): Schemas => ({
  ...withX(relation(x)),
  'api::b.b': {
    attributes: y ? { y: { type: 'relation', relation: 'oneToMany', target: 'api::a.a', ...y } } : {},
  },
})

describe('problems in names', () => {
  for (const name of [
    ...[
      'id',
      'documentId',
      'document_id',
      'createdAt',
      'created_at',
      'updatedAt',
      'publishedAt',
      'published_at',
    ],
    ...['createdBy', 'updated_by', 'locale', 'localizations', '_score'],
  ]) {
    test(`the attribute name ${name} is reserved`, () => {
      const schemas = { 'api::a.a': { attributes: { [name]: { type: 'string' } } } }
      assert.deepEqual(problemsOf(schemas), [`${A}: attributes.${name}: this name is reserved`])
    })
  }

  for (const name of [
    '',
    'a-b',
    'a b',
    '1a',
    'ä',
    '$eq',
    'a.b',
    'x'.repeat(56),
    '__component',
    '__proto__',
  ]) {
    test(`"${name}" cannot name an attribute`, () => {
      const attributes = JSON.parse(`{${JSON.stringify(name)}: {"type": "string"}}`)
      assert.equal(problemsOf({ 'api::a.a': { attributes } }).length, 1)
      assert.equal(problemsOf({ 'shared.c': { attributes } }).length, 1)
    })
  }

  testEach({
    'reserved names apply to components': [
      { 'shared.c': { attributes: { documentId: { type: 'string' } } } },
      'src/components/shared/c.json: attributes.documentId: this name is reserved',
    ],
    'two attributes cannot differ only in letter case': [
      { 'api::a.a': { attributes: { Name: { type: 'string' }, name: { type: 'string' } } } },
      `${A}: attributes.name: differs from "Name" only in letter case`,
    ],
    'two content-types cannot share a plural': [
      {
        'api::a.a': { info: { pluralName: 'things' } },
        'api::b.b': { collectionName: 'other', info: { pluralName: 'things' } },
      },
      `${B}: info.pluralName: "things" is already the plural name of api::a.a`,
    ],
    'two content-types cannot share a singular': [
      {
        'api::a.a': { info: { singularName: 'thing' } },
        'api::b.b': { info: { singularName: 'thing', pluralName: 'stuff' } },
      },
      `${B}: info.singularName: "thing" is already the singular name of api::a.a`,
    ],
    'two content-types cannot share a path': [
      {
        'api::a.a': { info: { pluralName: 'news' } },
        'api::b.b': {
          kind: 'singleType',
          collectionName: 'other',
          info: { singularName: 'news', pluralName: 'newses' },
        },
      },
      `${B}: info.singularName: the path /api/news is already used by api::a.a`,
    ],
    'a content-type cannot use a path of the server': [
      { 'api::a.a': { info: { pluralName: 'upload' } } },
      `${A}: info.pluralName: the path /api/upload is used by the server itself`,
    ],
    'a content-type cannot use the path of batches': [
      { 'api::a.a': { kind: 'singleType', info: { singularName: 'batch', pluralName: 'batches' } } },
      `${A}: info.singularName: the path /api/batch is used by the server itself`,
    ],
    'a misspelled key of a content-type is reported': [
      { 'api::a.a': { atributes: {} } },
      `${A}: unknown key "atributes"; did you mean "attributes"?`,
    ],
    'a misspelled key of info is reported': [
      { 'api::a.a': { info: { pluralname: 'things', icon: 'star', name: 'A' } } },
      `${A}: info: unknown key "pluralname"; did you mean "pluralName"?`,
    ],
    'a misspelled key of options is reported': [
      { 'api::a.a': { options: { draftAndPublsh: true, comment: '', timestamps: true } } },
      `${A}: options: unknown key "draftAndPublsh"; did you mean "draftAndPublish"?`,
    ],
    'a misspelled key of a component is reported': [
      { 'shared.part': { attribute: {}, icon: 'star' } },
      'src/components/shared/part.json: unknown key "attribute"; did you mean "attributes"?',
    ],
    'an API id must be a path segment': [
      { 'api::a.a': { info: { pluralName: 'a/b' } } },
      `${A}: info.pluralName: must start with a letter and may only contain letters, digits, - and _`,
    ],
    'two content-types cannot share a table': [
      { 'api::a.a': { collectionName: 'Things' }, 'api::b.b': { collectionName: 'things' } },
      `${B}: collectionName: the table "things" is already used by api::a.a`,
    ],
    'table names of the server are reserved': [
      { 'api::a.a': { collectionName: 'octavo_things' } },
      `${A}: collectionName: the table name "octavo_things" is reserved`,
    ],
    'table names of SQLite are reserved': [
      { 'api::a.a': { collectionName: 'sqlite_master' } },
      `${A}: collectionName: the table name "sqlite_master" is reserved`,
    ],
    'table names of PostgreSQL are reserved': [
      { 'api::a.a': { collectionName: 'pg_class' } },
      `${A}: collectionName: the table name "pg_class" is reserved`,
    ],
    'a component name cannot contain a dot': [
      { 'shared.c.d': { attributes: {} } },
      'src/components/shared/c.json: the names of its folder and file may only contain letters, digits, - and _',
    ],
  })
})

describe('problems in attributes', () => {
  testEach({
    'a schema must be an object': [{ 'api::a.a': [] }, `${A}: must be an object`],
    'an unknown kind is refused': [
      { 'api::a.a': { kind: 'collection' } },
      `${A}: kind: must be "collectionType" or "singleType"`,
    ],
    'an attribute must be an object': [withX('string'), `${A}: attributes.x: must be an object`],
    'an attribute must have a type': [withX({}), `${A}: attributes.x.type: is required`],
    'an unknown type is refused': [
      withX({ type: 'strin' }),
      `${A}: attributes.x.type: unknown attribute type "strin"; did you mean "string"?`,
    ],
    'a type must be a string': [withX({ type: 5 }), `${A}: attributes.x.type: must be a string`],
    'an unknown base type is refused': [
      withX({ type: 'customField', customField: 'plugin::a.b', baseType: 'jsno' }),
      `${A}: attributes.x.baseType: unknown attribute type "jsno"; did you mean "json"?`,
    ],
    'a flag must be true or false': [
      withX({ type: 'string', required: 'yes' }),
      `${A}: attributes.x.required: must be true or false`,
    ],
    'a misspelled rule is reported': [
      withX({ type: 'string', requierd: true }),
      `${A}: attributes.x: unknown key "requierd"; did you mean "required"?`,
    ],
    'a bound must be a number': [
      withX({ type: 'integer', min: 'low' }),
      `${A}: attributes.x.min: must be a number`,
    ],
    'a length must be an integer of 0 or more': [
      withX({ type: 'string', maxLength: -1 }),
      `${A}: attributes.x.maxLength: must be an integer of 0 or more`,
    ],
    'min cannot be above max': [
      withX({ type: 'integer', min: 5, max: 4 }),
      `${A}: attributes.x.min: is more than max (4)`,
    ],
    'min of a big integer cannot be above max, even by one': [
      withX({ type: 'biginteger', min: '9223372036854775807', max: '9223372036854775806' }),
      `${A}: attributes.x.min: is more than max (9223372036854775806)`,
    ],
    'minLength cannot be above maxLength': [
      withX({ type: 'string', minLength: 5, maxLength: 4 }),
      `${A}: attributes.x.minLength: is more than maxLength (4)`,
    ],
    'a default must be a value of its type': [
      withX({ type: 'integer', default: 'many' }),
      `${A}: attributes.x.default: is not a valid value of the attribute: it must be a number`,
    ],
    'a default must follow the rules': [
      withX({ type: 'integer', default: 7, max: 5 }),
      `${A}: attributes.x.default: is not a valid value of the attribute: it must be at most 5`,
    ],
    'a default must be one of the words': [
      withX({ type: 'enumeration', enum: ['a', 'b'], default: 'c' }),
      `${A}: attributes.x.default: is not a valid value of the attribute: it must be one of a, b`,
    ],
    'an enumeration must list its words': [
      withX({ type: 'enumeration' }),
      `${A}: attributes.x.enum: is required: an enumeration lists its values`,
    ],
    'an enumeration cannot be empty': [
      withX({ type: 'enumeration', enum: [] }),
      `${A}: attributes.x.enum: must have at least one value`,
    ],
    'the words of an enumeration must differ': [
      withX({ type: 'enumeration', enum: ['a', 'b', 'a'] }),
      `${A}: attributes.x.enum: has "a" more than once`,
    ],
    'the words of an enumeration must be strings': [
      withX({ type: 'enumeration', enum: ['a', 1] }),
      `${A}: attributes.x.enum: must be an array of strings`,
    ],
    'the words of an enumeration cannot be empty': [
      withX({ type: 'enumeration', enum: ['a', ''] }),
      `${A}: attributes.x.enum: must not have an empty value`,
    ],
    'the source of a uid must exist': [
      { 'api::a.a': { attributes: { name: { type: 'string' }, x: { type: 'uid', targetField: 'nam' } } } },
      `${A}: attributes.x.targetField: unknown attribute "nam"; did you mean "name"?`,
    ],
    'the source of a uid must be text': [
      {
        'api::a.a': { attributes: { price: { type: 'decimal' }, x: { type: 'uid', targetField: 'price' } } },
      },
      `${A}: attributes.x.targetField: the attribute "price" is not text`,
    ],
    'an unknown kind of media is refused': [
      withX({ type: 'media', allowedTypes: ['image'] }),
      `${A}: attributes.x.allowedTypes: unknown kind of media "image"; the kinds are images, videos, audios, files`,
    ],
    'an index must list existing scalar attributes': [
      { 'api::a.a': { options: { indexes: [['x']] }, attributes: {} } },
      `${A}: options.indexes: must be an array of arrays of scalar attribute names`,
    ],
    'an extension of users is checked': [
      { [USER]: { attributes: { x: { type: 'strin' } } } },
      `extension of ${USER}: attributes.x.type: unknown attribute type "strin"; did you mean "string"?`,
    ],
  })

  test('a pattern that cannot be matched in bounded time is refused', () => {
    const [line = '', ...more] = problemsOf(withX({ type: 'string', regex: '^(a+)+\\1$' }))
    assert.match(line, /attributes\.x\.regex: cannot be matched in bounded time/)
    assert.deepEqual(more, [])
  })

  test('an invalid regular expression is refused', () => {
    const [line = '', ...more] = problemsOf(withX({ type: 'string', regex: '(' }))
    assert.match(line, /attributes\.x\.regex: is not a regular expression/)
    assert.deepEqual(more, [])
  })
})

describe('problems in components', () => {
  const card = (attributes: object) => ({ attributes })
  testEach({
    'a component attribute must have a component': [
      withX({ type: 'component' }),
      `${A}: attributes.x.component: is required`,
    ],
    'an unknown component is refused': [
      withX({ type: 'component', component: 'shared.soe' }, { 'shared.seo': card({}) }),
      `${A}: attributes.x.component: unknown component "shared.soe"; did you mean "shared.seo"?`,
    ],
    'an unknown component of a zone is refused': [
      withX(
        { type: 'dynamiczone', components: ['shared.seo', 'shared.nothing-like-it'] },
        { 'shared.seo': card({}) },
      ),
      `${A}: attributes.x.components: unknown component "shared.nothing-like-it"`,
    ],
    'a zone cannot list a component twice': [
      withX({ type: 'dynamiczone', components: ['shared.seo', 'shared.seo'] }, { 'shared.seo': card({}) }),
      `${A}: attributes.x.components: has "shared.seo" more than once`,
    ],
    'a component cannot contain itself': [
      { 'shared.c': card({ x: { type: 'component', component: 'shared.c', repeatable: true } }) },
      'src/components/shared/c.json: attributes.x: the component contains itself: shared.c > shared.c',
    ],
    'a component cannot contain itself through others': [
      {
        'shared.c': card({ x: { type: 'component', component: 'shared.d' } }),
        'shared.d': card({ y: { type: 'dynamiczone', components: ['shared.e'] } }),
        'shared.e': card({ z: { type: 'component', component: 'shared.c' } }),
      },
      'src/components/shared/e.json: attributes.z: the component contains itself: shared.c > shared.d > shared.e > shared.c',
    ],
    'a relation in a component must be one-way': [
      {
        'shared.c': card({ x: relation({ target: 'api::a.a', inversedBy: 'y' }) }),
        'api::a.a': { attributes: {} },
      },
      'src/components/shared/c.json: attributes.x.inversedBy: a relation in a component must be one-way',
    ],
  })
})

describe('problems in relations', () => {
  testEach({
    'a relation must have a kind': [
      withX({ type: 'relation', target: 'api::a.a' }),
      `${A}: attributes.x.relation: is required; the kinds are oneToOne, oneToMany, manyToOne, manyToMany, morphToOne, morphToMany, morphOne, morphMany`,
    ],
    'an unknown kind is refused': [
      withX({ type: 'relation', relation: 'manyToon', target: 'api::a.a' }),
      `${A}: attributes.x.relation: unknown kind of relation "manyToon"; did you mean "manyToOne"?`,
    ],
    'a relation must have a target': [
      withX({ type: 'relation', relation: 'oneToOne' }),
      `${A}: attributes.x.target: is required`,
    ],
    'an unknown target is refused': [
      withX(
        { type: 'relation', relation: 'oneToOne', target: 'api::cheff.cheff' },
        { 'api::chef.chef': { attributes: {} } },
      ),
      `${A}: attributes.x.target: unknown content-type "api::cheff.cheff"; did you mean "api::chef.chef"?`,
    ],
    'the other end must exist': [
      pair({ inversedBy: 'y' }, null),
      `${A}: attributes.x.inversedBy: api::b.b has no relation "y"`,
    ],
    'a polymorphic inverse must declare its owner': [
      withX(relation({ relation: 'morphMany' }), { 'api::b.b': {} }),
      `${A}: attributes.x.morphBy: is required: the polymorphic attribute of api::b.b`,
    ],
    'the owner of a polymorphic inverse must be polymorphic': [
      { ...pair({ relation: 'morphMany', morphBy: 'y' }, { relation: 'oneToOne' }) },
      `${A}: attributes.x.morphBy: api::b.b attribute "y" is not polymorphic (morphToOne or morphToMany)`,
    ],
    'a relation can have only one other end': [
      pair({ mappedBy: 'y', inversedBy: 'y' }, { relation: 'oneToMany', inversedBy: 'x' }),
      `${A}: attributes.x.mappedBy: a relation has either mappedBy or inversedBy, not both`,
    ],
  })

  const lines = (schemas: Schemas) => problemsOf(schemas).sort()

  test('the other end must point back, from either side', () => {
    assert.deepEqual(lines(pair({ inversedBy: 'y' }, {})), [
      `${A}: attributes.x.inversedBy: api::b.b attribute "y" must have mappedBy "x"`,
    ])
    assert.deepEqual(lines(pair({}, { mappedBy: 'x' })), [
      `${B}: attributes.y.mappedBy: api::a.a attribute "x" must have inversedBy "y"`,
    ])
    assert.deepEqual(lines(pair({ inversedBy: 'y' }, { inversedBy: 'x' })), [
      `${A}: attributes.x.inversedBy: api::b.b attribute "y" must have mappedBy "x"`,
      `${B}: attributes.y.inversedBy: api::a.a attribute "x" must have mappedBy "y"`,
    ])
  })

  test('the other end must point here and be of the opposite kind', () => {
    assert.deepEqual(lines(pair({ inversedBy: 'y' }, { target: 'api::b.b', mappedBy: 'z' })), [
      `${A}: attributes.x.inversedBy: api::b.b attribute "y" points to api::b.b, not to this type`,
      `${B}: attributes.y.mappedBy: api::b.b has no relation "z"`,
    ])
    assert.deepEqual(lines(pair({ inversedBy: 'y' }, { relation: 'manyToMany', mappedBy: 'x' })), [
      `${A}: attributes.x.relation: api::b.b attribute "y" is manyToMany, but the other end of manyToOne is oneToMany`,
      `${B}: attributes.y.relation: api::a.a attribute "x" is manyToOne, but the other end of manyToMany is manyToMany`,
    ])
  })
})

describe('problems in renames', () => {
  const string = { type: 'string' }
  testEach({
    'an attribute that still exists': [
      { 'api::a.a': { attributes: { x: { ...string, renamedFrom: 'y' }, y: string } } },
      `${A}: attributes.x.renamedFrom: "y" still exists; remove it, or remove renamedFrom`,
    ],
    'two attributes with the same former name': [
      {
        'api::a.a': {
          attributes: { x: { ...string, renamedFrom: 'z' }, y: { ...string, renamedFrom: 'z' } },
        },
      },
      `${A}: attributes.y.renamedFrom: "x" was already renamed from "z"`,
    ],
    'a content-type that still exists': [
      { 'api::a.a': { renamedFrom: 'b', attributes: {} }, 'api::b.b': { attributes: {} } },
      `${A}: renamedFrom: "api::b.b" still exists; remove it, or remove renamedFrom`,
    ],
    'a name that is not a string': [
      withX({ ...string, renamedFrom: 7 }),
      `${A}: attributes.x.renamedFrom: must be a string`,
    ],
  })
})

test('all problems are reported together', () => {
  const found = problemsOf({
    'api::a.a': {
      kind: 'many',
      attributes: {
        id: { type: 'string' },
        x: { type: 'enumeration', enum: [] },
        y: { type: 'component', component: 'shared.gone' },
        z: { type: 'relation', relation: 'oneToOne', target: 'api::gone.gone' },
      },
    },
    'shared.c': { attributes: { c: { type: 'component', component: 'shared.c' } } },
  })
  assert.equal(found.length, 6)
})
