import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { modelOfSchemas, type Schemas } from '../../test/support/schemas.ts'
import { type Attribute, componentOf, FILE, ROLE, type ScalarAttribute, typeOf, USER } from './model.ts'
import { scalarTypes } from './scalars/index.ts'

const localized = { pluginOptions: { i18n: { localized: true } } }

const attributeOf = (schemas: Schemas, name: string, uid = 'api::a.a'): Attribute | undefined =>
  typeOf(modelOfSchemas(schemas), uid).attributes.get(name)

function scalarOf(declaration: unknown): ScalarAttribute {
  const attribute = attributeOf({ 'api::a.a': { attributes: { x: declaration } } }, 'x')
  assert.ok(attribute?.kind === 'scalar')
  return attribute
}

describe('content-types', () => {
  test('a schema with attributes only is a collection with a default plural and table', () => {
    const type = typeOf(modelOfSchemas({ 'api::person.person': { attributes: {} } }), 'api::person.person')
    assert.equal(type.kind, 'collection')
    assert.equal(type.singular, 'person')
    assert.equal(type.plural, 'people')
    assert.equal(type.table, 'people')
    assert.equal(type.displayName, 'person')
    assert.equal(type.draftAndPublish, false)
    assert.equal(type.localized, false)
    assert.equal(type.generated, true)
  })

  test('every option of a schema is read', () => {
    const type = typeOf(
      modelOfSchemas({
        'api::menu.dish': {
          kind: 'singleType',
          collectionName: 'My Dishes-2',
          info: { singularName: 'dish', pluralName: 'plates', displayName: 'A dish', description: 'To eat' },
          options: { draftAndPublish: true, indexes: [['name', 'price']] },
          ...localized,
          attributes: { name: { type: 'string' }, price: { type: 'decimal' } },
        },
      }),
      'api::menu.dish',
    )
    assert.equal(type.kind, 'single')
    assert.equal(type.singular, 'dish')
    assert.equal(type.plural, 'plates')
    assert.equal(type.table, 'my_dishes_2')
    assert.equal(type.displayName, 'A dish')
    assert.equal(type.description, 'To eat')
    assert.equal(type.draftAndPublish, true)
    assert.equal(type.localized, true)
    assert.deepEqual(type.indexes, [['name', 'price']])
  })

  test('the plural is derived from the singular unless the schema declares it', () => {
    const plurals = {
      dish: 'dishes',
      category: 'categories',
      'blog-post': 'blog-posts',
      child: 'children',
      news: 'news',
    }
    for (const [singular, plural] of Object.entries(plurals)) {
      const model = modelOfSchemas({ [`api::x.${singular}`]: { attributes: {} } })
      assert.equal(model.endpoints.get(plural)?.singular, singular)
    }
  })

  test('collections have an endpoint at their plural, single types at their singular, built-in types have none', () => {
    const model = modelOfSchemas({
      'api::dish.dish': { attributes: {} },
      'api::home.home': { kind: 'singleType', attributes: {} },
    })
    assert.deepEqual([...model.endpoints.keys()], ['dishes', 'home'])
    assert.deepEqual([...model.types.keys()], [FILE, USER, ROLE, 'api::dish.dish', 'api::home.home'])
  })

  test('a table name is in snake case and short enough for both engines', () => {
    const tableOf = (collectionName: string) =>
      typeOf(modelOfSchemas({ 'api::a.a': { collectionName, attributes: {} } }), 'api::a.a').table
    assert.equal(tableOf('blogPosts'), 'blog_posts')
    assert.equal(tableOf('Blog Posts'), 'blog_posts')
    const [one, other] = [tableOf(`${'x'.repeat(70)}1`), tableOf(`${'x'.repeat(70)}2`)]
    assert.equal(one.length, 55)
    assert.notEqual(one, other)
  })

  test('attributes keep the order of the schema', () => {
    const attributes = { z: { type: 'string' }, a: { type: 'integer' }, m: { type: 'json' } }
    const type = typeOf(modelOfSchemas({ 'api::a.a': { attributes } }), 'api::a.a')
    assert.deepEqual([...type.attributes.keys()], ['z', 'a', 'm'])
  })

  test('an attribute is localized when it and its type are; a relation when its type is', () => {
    const attributes = {
      title: { type: 'string', ...localized },
      views: { type: 'integer' },
      cover: { type: 'media' },
      friend: { type: 'relation', relation: 'oneToOne', target: 'api::a.a' },
    }
    const flags = (schema: object) =>
      [
        ...typeOf(modelOfSchemas({ 'api::a.a': { ...schema, attributes } }), 'api::a.a').attributes.values(),
      ].map((a) => a.localized)
    assert.deepEqual(flags(localized), [true, false, false, true])
    assert.deepEqual(flags({}), [false, false, false, false])
  })
})

describe('attributes', () => {
  test('every scalar type can be declared', () => {
    for (const type of Object.keys(scalarTypes)) assert.equal(scalarOf({ type, enum: ['a'] }).type, type)
  })

  test('rules are read', () => {
    const rules = {
      required: true,
      unique: true,
      private: true,
      configurable: false,
      minLength: 2,
      maxLength: 5,
      default: 'abc',
    }
    const text = scalarOf({ type: 'string', ...rules, regex: '^[a-z]+$' })
    assert.deepEqual([text.required, text.unique, text.private], [true, true, true])
    assert.deepEqual([text.minLength, text.maxLength, text.default], [2, 5, 'abc'])
    assert.equal(text.regex?.source, '^[a-z]+$')
    const number = scalarOf({ type: 'biginteger', min: '-5', max: 7 })
    assert.deepEqual([number.min, number.max], [-5, 7])
    const large = scalarOf({ type: 'biginteger', min: '-9223372036854775807', max: '9223372036854775806' })
    assert.deepEqual([large.min, large.max], [-9223372036854775807n, 9223372036854775806n])
    assert.deepEqual(scalarOf({ type: 'enumeration', enum: ['a', 'b'] }).enum, ['a', 'b'])
  })

  test('a rule that is null is ignored', () => {
    const plain = scalarOf({ type: 'string' })
    assert.deepEqual(
      scalarOf({ type: 'string', default: null, min: null, regex: null, required: null }),
      plain,
    )
    assert.equal(plain.default, undefined)
  })

  test('a uid is unique, has a source, and is generated only when the schema says so', () => {
    const schema = (options: object) => ({
      'api::a.a': {
        attributes: { name: { type: 'string' }, slug: { type: 'uid', targetField: 'name', ...options } },
      },
    })
    const plain = attributeOf(schema({}), 'slug')
    assert.ok(plain?.kind === 'scalar')
    assert.deepEqual([plain.unique, plain.targetField, plain.generate], [true, 'name', false])
    const generated = attributeOf(schema({ options: { generate: true } }), 'slug')
    assert.ok(generated?.kind === 'scalar' && generated.generate)
  })

  test('a custom field is stored as its base type, or as text when it has none', () => {
    assert.equal(scalarOf({ type: 'customField', customField: 'plugin::color-picker.color' }).type, 'text')
    assert.equal(scalarOf({ type: 'customField', customField: 'plugin::x.y', baseType: 'json' }).type, 'json')
    assert.equal(scalarOf({ type: 'plugin::geo.point', baseType: 'string' }).type, 'string')
    assert.equal(scalarOf({ type: 'integer', customField: 'plugin::rating.stars' }).type, 'integer')
  })

  test('keys of other tools are ignored', () => {
    const keys = {
      column: { unique: true },
      conditions: {},
      description: 'x',
      autoPopulate: true,
    }
    assert.deepEqual(scalarOf({ type: 'string', ...keys }), scalarOf({ type: 'string' }))
  })

  test('media are a single file of any kind unless the schema says otherwise', () => {
    const media = (declaration: object) =>
      attributeOf({ 'api::a.a': { attributes: { x: { type: 'media', ...declaration } } } }, 'x')
    const every = ['images', 'videos', 'audios', 'files']
    assert.partialDeepStrictEqual(media({}), { kind: 'media', multiple: false, allowedTypes: every })
    assert.partialDeepStrictEqual(media({ multiple: true, allowedTypes: ['images'] }), {
      multiple: true,
      allowedTypes: ['images'],
    })
    assert.partialDeepStrictEqual(media({ allowedTypes: null }), { allowedTypes: every })
  })

  test('components are single or repeatable and can be nested; zones list their components', () => {
    const model = modelOfSchemas({
      'shared.seo': {
        info: { displayName: 'SEO' },
        attributes: { title: { type: 'string' }, link: { type: 'component', component: 'shared.link' } },
      },
      'shared.link': { attributes: { id_of: { type: 'string' }, locale: { type: 'string' } } },
      'api::a.a': {
        attributes: {
          seo: { type: 'component', component: 'shared.seo', required: true },
          links: { type: 'component', component: 'shared.link', repeatable: true, min: 1, max: 3 },
          zone: { type: 'dynamiczone', components: ['shared.seo', 'shared.link'], max: 5 },
        },
      },
    })
    const { attributes } = typeOf(model, 'api::a.a')
    assert.partialDeepStrictEqual(attributes.get('seo'), {
      kind: 'component',
      component: 'shared.seo',
      repeatable: false,
      required: true,
    })
    assert.partialDeepStrictEqual(attributes.get('links'), { repeatable: true, min: 1, max: 3 })
    assert.partialDeepStrictEqual(attributes.get('zone'), {
      kind: 'zone',
      components: ['shared.seo', 'shared.link'],
      min: null,
      max: 5,
    })
    const seo = componentOf(model, 'shared.seo')
    assert.deepEqual(
      [seo.category, seo.displayName, [...seo.attributes.keys()]],
      ['shared', 'SEO', ['title', 'link']],
    )
  })
})

describe('relations', () => {
  /** Two content-types that are related to each other; `a` has the relation `x`, `b` the relation `y`. */
  const pair = (x: object, y?: object): Schemas => ({
    'api::a.a': { attributes: { x: { type: 'relation', target: 'api::b.b', ...x } } },
    'api::b.b': { attributes: y ? { y: { type: 'relation', target: 'api::a.a', ...y } } : {} },
  })
  const owner = { kind: 'relation', side: 'owner' }
  const inverse = { kind: 'relation', side: 'inverse' }

  test('a one-way relation owns its edges and does not claim its targets', () => {
    const kinds = { oneToOne: false, oneToMany: true, manyToOne: false, manyToMany: true }
    for (const [relation, many] of Object.entries(kinds)) {
      const expected = { ...owner, many, target: 'api::b.b', other: null, morph: false, exclusive: false }
      assert.partialDeepStrictEqual(attributeOf(pair({ relation }), 'x'), expected)
    }
  })

  const twoWay: readonly [
    relation: string,
    back: string,
    many: boolean,
    backMany: boolean,
    exclusive: boolean,
  ][] = [
    ['oneToOne', 'oneToOne', false, false, true],
    ['manyToOne', 'oneToMany', false, true, false],
    ['oneToMany', 'manyToOne', true, false, true],
    ['manyToMany', 'manyToMany', true, true, false],
  ]

  test('in a two-way relation the inversedBy side owns the edges, and the mappedBy side reads them backwards', () => {
    for (const [relation, back, many, backMany, exclusive] of twoWay) {
      const schemas = pair({ relation, inversedBy: 'y' }, { relation: back, mappedBy: 'x' })
      assert.partialDeepStrictEqual(attributeOf(schemas, 'x'), {
        ...owner,
        many,
        target: 'api::b.b',
        other: 'y',
        morph: false,
        exclusive,
      })
      assert.partialDeepStrictEqual(attributeOf(schemas, 'y', 'api::b.b'), {
        ...inverse,
        many: backMany,
        target: 'api::a.a',
        other: 'x',
        morph: false,
        exclusive,
      })
    }
  })

  test('a content-type can have a two-way relation to itself', () => {
    const model = modelOfSchemas({
      'api::a.a': {
        attributes: {
          parent: { type: 'relation', relation: 'manyToOne', target: 'api::a.a', inversedBy: 'children' },
          children: { type: 'relation', relation: 'oneToMany', target: 'api::a.a', mappedBy: 'parent' },
        },
      },
    })
    assert.partialDeepStrictEqual(typeOf(model, 'api::a.a').attributes.get('children'), {
      side: 'inverse',
      other: 'parent',
    })
  })

  test('a polymorphic relation is owned by the side without a target', () => {
    for (const [relation, many] of [
      ['morphToOne', false],
      ['morphToMany', true],
    ] as const) {
      for (const [back, backMany] of [
        ['morphOne', false],
        ['morphMany', true],
      ] as const) {
        const schemas: Schemas = {
          'api::a.a': { attributes: { x: { type: 'relation', relation } } },
          'api::b.b': {
            attributes: { y: { type: 'relation', relation: back, target: 'api::a.a', morphBy: 'x' } },
          },
        }
        assert.partialDeepStrictEqual(attributeOf(schemas, 'x'), {
          ...owner,
          many,
          target: null,
          other: null,
          morph: true,
          exclusive: false,
        })
        assert.partialDeepStrictEqual(attributeOf(schemas, 'y', 'api::b.b'), {
          ...inverse,
          many: backMany,
          target: 'api::a.a',
          other: 'x',
          morph: true,
          exclusive: false,
        })
      }
    }
  })

  test('a component can have one-way relations, also to users and files', () => {
    const model = modelOfSchemas({
      'shared.card': { attributes: { by: { type: 'relation', relation: 'oneToOne', target: USER } } },
    })
    assert.partialDeepStrictEqual(componentOf(model, 'shared.card').attributes.get('by'), {
      ...owner,
      target: USER,
    })
  })
})

describe('built-in content-types', () => {
  test('files, users and roles have their attributes, and secrets are private', () => {
    const { types } = modelOfSchemas({})
    const shown = (uid: string) =>
      [...(types.get(uid)?.attributes.values() ?? [])]
        .filter((a) => a.kind === 'scalar' && !a.private && a.type !== 'password')
        .map((a) => a.name)
    assert.deepEqual(shown(FILE), [
      ...[
        'name',
        'alternativeText',
        'caption',
        'focalPoint',
        'width',
        'height',
        'formats',
        'hash',
        'ext',
        'mime',
      ],
      ...['size', 'url', 'previewUrl', 'provider', 'provider_metadata'],
    ])
    assert.deepEqual(shown(USER), ['username', 'email', 'provider', 'confirmed', 'blocked'])
    assert.deepEqual(shown(ROLE), ['name', 'description', 'type'])
    assert.deepEqual(
      [...types.values()].map((type) => type.generated),
      [false, false, false],
    )
  })

  test('a project can add attributes to users, but not change the built-in ones', () => {
    const model = modelOfSchemas({
      [USER]: {
        collectionName: 'up_users',
        attributes: {
          username: { type: 'string', maxLength: 1 },
          role: {
            type: 'relation',
            relation: 'manyToOne',
            target: ROLE,
            inversedBy: 'users',
            configurable: false,
          },
          bio: { type: 'text' },
          articles: {
            type: 'relation',
            relation: 'oneToMany',
            target: 'api::article.article',
            mappedBy: 'author',
          },
        },
      },
      'api::article.article': {
        attributes: {
          author: { type: 'relation', relation: 'manyToOne', target: USER, inversedBy: 'articles' },
        },
      },
    })
    const user = typeOf(model, USER)
    assert.deepEqual([...user.attributes.keys()].slice(-3), ['role', 'bio', 'articles'])
    assert.partialDeepStrictEqual(user.attributes.get('username'), { maxLength: null, unique: true })
    assert.equal(user.table, typeOf(modelOfSchemas({}), USER).table)
  })
})

test('a model can have 500 content-types with 20 attributes each', () => {
  const types = Array.from({ length: 500 }, (_, number) => {
    const target = `api::t${(number + 1) % 500}.t${(number + 1) % 500}`
    const scalar = Array.from({ length: 18 }, (__, index) => [`a${index}`, { type: 'string', maxLength: 50 }])
    const relations = [
      ['next', { type: 'relation', relation: 'oneToOne', target, inversedBy: 'previous' }],
      [
        'previous',
        {
          type: 'relation',
          relation: 'oneToOne',
          target: `api::t${(number + 499) % 500}.t${(number + 499) % 500}`,
          mappedBy: 'next',
        },
      ],
    ]
    return [`api::t${number}.t${number}`, { attributes: Object.fromEntries([...scalar, ...relations]) }]
  })
  const model = modelOfSchemas(Object.fromEntries(types))
  assert.equal(model.endpoints.size, 500)
  assert.ok([...model.endpoints.values()].every((type) => type.attributes.size === 20))
})
