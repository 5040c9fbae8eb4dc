import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { modelOfTypes } from '../../../test/support/models.ts'
import { restaurantModel } from '../../../test/support/restaurant-model.ts'
import { scopeOfPermissions } from '../../access/roles/permissions.ts'
import { loadProject } from '../../model/load-project.ts'
import type { Model } from '../../model/model.ts'
import type { Config } from '../../project/config/config.ts'
import { defaults } from '../../project/config/defaults.ts'
import { systemScope } from '../../query/scope.ts'
import { buildOpenApiDocument, type DocumentOptions, type OpenApiDocument } from './document.ts'
import type { Operation } from './operation.ts'

const folder = (path: string) => new URL(`../../../${path}`, import.meta.url).pathname

const projects: readonly (readonly [string, () => Promise<{ model: Model; config: Config }>])[] = [
  ['a small model', async () => ({ model: restaurantModel, config: defaults })],
  ['the reference project', () => loadProject(folder('test/reference/project'))],
  ['the demo project', () => loadProject(folder('examples/restaurants'))],
]

const documentFor = (permissions: Record<string, readonly string[]>, model: Model = restaurantModel) =>
  buildOpenApiDocument({
    model,
    config: defaults,
    scope: scopeOfPermissions(permissions, { kind: 'public' }, null),
  })

const operationsOf = ({ paths }: OpenApiDocument): Operation[] =>
  Object.values(paths).flatMap((path) => Object.values(path))

/** The parameters of an operation by name, as JSON. */
function parametersOf(
  { components }: OpenApiDocument,
  operation: Operation | undefined,
): Map<string, string> {
  const all = (operation?.parameters ?? []).map((parameter) =>
    '$ref' in parameter ? components.parameters[parameter.$ref.split('/').at(-1) ?? ''] : parameter,
  )
  return new Map(all.flatMap((one) => (one ? [[one.name, JSON.stringify(one)] as const] : [])))
}

/** Parts of a document that do not depend on the scope. */
const EXTRAS: Partial<DocumentOptions> = { isAdmin: true, canExplain: true, hasPositions: true }

describe('the OpenAPI document', () => {
  it('has its own schemas whatever the content-types are called', () => {
    const schemasOf = (model: Model) =>
      buildOpenApiDocument({ model, config: defaults, scope: systemScope, ...EXTRAS }).components.schemas
    const type = { attributes: { name: { type: 'string' } }, draftAndPublish: true }
    const isOwn = (name: string) => /^(Admin|ChangeAuthor|DocumentSchedule|SavedVersion)/.test(name)
    const own = Object.entries(schemasOf(modelOfTypes({ sample: type }))).filter(([name]) => isOwn(name))
    assert.ok(own.length > 30)
    const types = own.map(([name]) => [name.replaceAll(/(?<=.)(?=[A-Z])/g, '-').toLowerCase(), type])
    const schemas = schemasOf(modelOfTypes(Object.fromEntries(types)))
    for (const [name, schema] of own) assert.deepEqual(schemas[name], schema, name)
  })

  it('has unique operation ids whatever the content-types are called', () => {
    const type = { attributes: { name: { type: 'string' } }, draftAndPublish: true }
    const names = ['article', 'article-history', 'article-version', 'file', 'file2', 'folder', 'webhook']
    const model = modelOfTypes(Object.fromEntries(names.map((name) => [name, type])))
    const document = buildOpenApiDocument({ model, config: defaults, scope: systemScope, ...EXTRAS })
    const ids = operationsOf(document).map(({ operationId }) => operationId)
    assert.deepEqual(
      ids.filter((id, index) => ids.indexOf(id) !== index),
      [],
    )
    const idOf = (path: string) => document.paths[path]?.get?.operationId
    assert.equal(idOf('/api/upload/files/{id}'), 'getFile')
    assert.equal(idOf('/api/files/{documentId}'), 'getFile3')
    assert.equal(idOf('/api/articles/{documentId}'), 'getArticle')
  })

  for (const [name, load] of projects) {
    it(`of ${name} is valid, and every operation has a unique id`, async () => {
      for (const extras of [{}, EXTRAS]) await assertValid({ ...(await load()), ...extras })
    })

    async function assertValid(options: Omit<DocumentOptions, 'scope'>) {
      const document = buildOpenApiDocument({ ...options, scope: systemScope })
      const result = await new Validator().validate(JSON.parse(JSON.stringify(document)))
      assert.deepEqual([result.valid, result.errors ?? null], [true, null])
      const ids = operationsOf(document).map(({ operationId }) => operationId)
      assert.equal(new Set(ids).size, ids.length)
    }

    it(`of ${name} has every part that it refers to, and no unused part`, async () => {
      for (const extras of [{}, EXTRAS]) await assertComplete({ ...(await load()), ...extras })
    })

    async function assertComplete(options: Omit<DocumentOptions, 'scope'>) {
      const document = buildOpenApiDocument({ ...options, scope: systemScope })
      const text = JSON.stringify(document)
      const referenced = new Set([...text.matchAll(/"#\/components\/([^"]+)"/g)].map(([, name = '']) => name))
      const { schemas, responses, parameters, headers } = document.components
      const present = Object.entries({ schemas, responses, parameters, headers }).flatMap(([kind, parts]) =>
        Object.keys(parts).map((part) => `${kind}/${part}`),
      )
      // 405 applies to a path, not to an operation.
      const unused = present.filter((part) => !referenced.has(part))
      assert.deepEqual(unused, ['responses/MethodNotAllowed'])
      assert.deepEqual(
        [...referenced].filter((part) => !present.includes(part)),
        [],
      )
    }

    it(`of ${name} is identical each time it is built`, async () => {
      const [one, two] = await Promise.all([load(), load()])
      const textOf = ({ model, config }: { model: Model; config: Config }) =>
        JSON.stringify(buildOpenApiDocument({ model, config, scope: systemScope }))
      assert.equal(textOf(one), textOf(two))
    })
  }

  it('describes every parameter of a list', () => {
    const document = documentFor({ 'api::restaurant.restaurant': ['find'], 'api::chef.chef': ['find'] })
    const parameters = parametersOf(document, document.paths['/api/restaurants']?.get)
    assert.deepEqual(
      [...parameters.keys()],
      [
        ...['sort', 'pagination[page]', 'pagination[pageSize]', 'pagination[start]', 'pagination[limit]'],
        ...[
          'pagination[withCount]',
          'pagination[cursor]',
          'filters',
          '_q',
          'fields',
          'populate',
          'status',
          'locale',
        ],
        ...['publicationFilter', 'hasPublishedVersion', 'If-None-Match'],
      ],
    )
    const { RestaurantFilters, RestaurantPopulate } = document.components.schemas
    assert.deepEqual(
      [RestaurantFilters?.properties?.stars, RestaurantFilters?.properties?.open],
      [{ $ref: '#/components/schemas/IntegerFilter' }, { $ref: '#/components/schemas/BooleanFilter' }],
    )
    assert.deepEqual(Object.keys(RestaurantPopulate?.properties ?? {}), [
      ...['cover', 'chef', 'address', 'menu', 'zone', 'localizations'],
    ])
  })

  it('describes explain=true for every read, for callers who may use it', () => {
    const options = { model: restaurantModel, config: defaults, scope: systemScope, isAdmin: true }
    const explained = ({ paths }: OpenApiDocument) =>
      Object.entries(paths).flatMap(([path, { get }]) =>
        /parameters\/Explain"/.test(JSON.stringify(get?.parameters ?? [])) ? [path] : [],
      )
    assert.doesNotMatch(JSON.stringify(buildOpenApiDocument(options)), /explain/i)
    const document = buildOpenApiDocument({ ...options, canExplain: true })
    for (const path of explained(document))
      assert.match(JSON.stringify(document.paths[path]?.get?.responses[200]), /ExplainedRead/)
    assert.deepEqual(
      explained(document).filter((path) => !/^.api.(chefs|dishes|restaurants|tags)/.test(path)),
      [
        ...['/api/upload/files', '/api/upload/files/page', '/api/upload/folders', '/api/upload/files/{id}'],
        ...['/api/users/me', '/api/users', '/api/users/count', '/api/users/{id}'],
        ...['/api/users-permissions/roles', '/admin/api/roles', '/admin/api/roles/{type}'],
      ],
    )
    assert.equal(explained(document).filter((path) => path.startsWith('/api/restaurants')).length, 2)
  })

  it('describes the position header of reads and of writes, if the engine has positions', () => {
    const options = { model: restaurantModel, config: defaults, scope: systemScope }
    assert.doesNotMatch(JSON.stringify(buildOpenApiDocument(options)), /Octavo-Position/)
    const document = buildOpenApiDocument({ ...options, hasPositions: true })
    for (const operations of Object.values(document.paths))
      for (const [method, operation] of Object.entries(operations)) {
        const isRead = method === 'get'
        assert.equal(parametersOf(document, operation).has('Octavo-Position'), isRead)
        const successes = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'))
        for (const [, response] of successes)
          assert.equal('Octavo-Position' in ('headers' in response ? (response.headers ?? {}) : {}), !isRead)
      }
  })

  it('omits parameters that a type does not support', () => {
    const document = documentFor({ 'api::dish.dish': ['find'] })
    const names = [...parametersOf(document, document.paths['/api/dishes']?.get).keys()]
    for (const name of ['status', 'locale', 'populate', 'publicationFilter'])
      assert.ok(!names.includes(name), name)
  })

  it('describes relations, media, components and zones in bodies', () => {
    const document = buildOpenApiDocument({ model: restaurantModel, config: defaults, scope: systemScope })
    const { RestaurantInput, ToOneInput } = document.components.schemas
    const names = Object.keys(RestaurantInput?.properties ?? {})
    for (const name of ['name', 'notes', 'code', 'cover', 'chef', 'address', 'menu', 'zone'])
      assert.ok(names.includes(name), name)
    assert.match(JSON.stringify(ToOneInput), /"set"/)
    assert.match(JSON.stringify(document.components.schemas.Connect), /"before".*"after".*"start".*"end"/)
    assert.match(JSON.stringify(RestaurantInput?.properties?.zone), /BlockQuoteInput.*MenuSectionInput/)
  })

  it('never has a private attribute or a password in a response', () => {
    const document = buildOpenApiDocument({ model: restaurantModel, config: defaults, scope: systemScope })
    const { Restaurant, Chef, PlaceAddress, RestaurantFilters, RestaurantField } = document.components.schemas
    const shown = JSON.stringify([Restaurant, Chef, PlaceAddress, RestaurantFilters, RestaurantField])
    for (const secret of ['notes', 'code', 'salary', 'secret'])
      assert.doesNotMatch(shown, new RegExp(`"${secret}"`))
  })

  it('describes publish, unpublish and discard only for types with drafts', () => {
    const { paths } = buildOpenApiDocument({ model: restaurantModel, config: defaults, scope: systemScope })
    for (const action of ['publish', 'unpublish', 'discard']) {
      assert.ok(paths[`/api/restaurants/{documentId}/actions/${action}`]?.post)
      assert.equal(paths[`/api/chefs/{documentId}/actions/${action}`], undefined)
    }
  })

  it('has no id in the response to a create, except in compatibility mode', () => {
    const created = (compat: 'none' | 'strapi') => {
      const config = { ...defaults, api: { rest: { ...defaults.api.rest, compat } } }
      const { paths } = buildOpenApiDocument({ model: restaurantModel, config, scope: systemScope })
      return JSON.stringify(paths['/api/dishes']?.post?.responses[201])
    }
    assert.match(created('none'), /DishCreated/)
    assert.doesNotMatch(created('strapi'), /DishCreated/)
  })

  it('describes the bounds of numbers, and of big integers without losing digits', () => {
    const attributes = {
      stars: { type: 'integer', min: 2, max: 5 },
      copies: { type: 'biginteger', min: '9223372036854775800', max: '9223372036854775806' },
    }
    const model = modelOfTypes({ book: { attributes } })
    const document = buildOpenApiDocument({ model, config: defaults, scope: systemScope })
    const { stars, copies } = document.components.schemas.BookInput?.properties ?? {}
    assert.match(JSON.stringify(stars), /"minimum":2,"maximum":5/)
    assert.match(copies?.description ?? '', /At least 9223372036854775800\. At most 9223372036854775806\.$/)
    assert.match(JSON.stringify(document), /"copies":"9223372036854775800"/)
  })

  it('gives types and components with similar names different schema names', () => {
    const attributes = { label: { type: 'string' } }
    const model = modelOfTypes(
      {
        menu: { attributes: { ...attributes, input: { type: 'component', component: 'menu.input' } } },
        'menu-input': { attributes },
        'to-one-input': { attributes },
      },
      { 'menu.input': attributes },
    )
    const { schemas } = buildOpenApiDocument({ model, config: defaults, scope: systemScope }).components
    const names = Object.keys(schemas).filter((name) => schemas[name]?.properties?.label)
    assert.equal(new Set(names).size, names.length)
    assert.ok(schemas.ToOneInput === undefined || !schemas.ToOneInput.properties)
  })
})

/** The words that occur anywhere in a document. */
const wordsIn = (document: OpenApiDocument, words: readonly string[]) =>
  words.filter((word) => JSON.stringify(document).toLowerCase().includes(word.toLowerCase()))

describe('the OpenAPI document of a caller', () => {
  const everything = buildOpenApiDocument({ model: restaurantModel, config: defaults, scope: systemScope })

  it('has nothing about a type without a permission for it', () => {
    const hidden = ['chef', 'mentor', 'dish', '/api/tags', 'TagField', 'api::', 'price']
    assert.deepEqual(wordsIn(everything, hidden), hidden)
    const document = documentFor({ 'api::restaurant.restaurant': ['find', 'findOne'] })
    assert.deepEqual(wordsIn(document, hidden), [])
  })

  it('without any permission has only authentication', () => {
    const hidden = ['restaurant', 'chef', 'dish', 'TagField', 'PlaceAddress', 'street', 'upload', 'MediaFile']
    assert.deepEqual(wordsIn(everything, hidden), hidden)
    const document = documentFor({})
    assert.deepEqual(wordsIn(document, hidden), [])
    assert.ok(document.paths['/api/auth/local'])
    for (const path of ['/api/users', '/api/users/me', '/api/batch', '/api/i18n/locales'])
      assert.equal(document.paths[path], undefined)
  })

  it('has only the granted actions', () => {
    const { paths } = documentFor({ 'api::restaurant.restaurant': ['find', 'delete'] })
    assert.deepEqual(Object.keys(paths['/api/restaurants'] ?? {}), ['get'])
    assert.deepEqual(Object.keys(paths['/api/restaurants/{documentId}'] ?? {}), ['delete'])
    assert.ok(paths['/api/batch'])
  })

  it('has only the fields that a permission lists', () => {
    const fields = ['name', 'chef']
    const permissions = {
      'api::restaurant.restaurant': [
        { action: 'find', fields },
        { action: 'update', fields: ['stars'] },
      ],
      'api::chef.chef': ['find'],
    }
    const scope = scopeOfPermissions(permissions, { kind: 'public' }, null)
    const { paths, components } = buildOpenApiDocument({ model: restaurantModel, config: defaults, scope })
    const { Restaurant, RestaurantField, RestaurantFilters } = components.schemas
    for (const name of ['stars', 'rating', 'menu', 'cover', 'zone']) {
      assert.equal(Restaurant?.properties?.[name], undefined)
      assert.equal(RestaurantFilters?.properties?.[name], undefined)
      assert.ok(!RestaurantField?.enum?.includes(name))
    }
    for (const name of fields) assert.ok(Restaurant?.properties?.[name])
    const { content } = paths['/api/restaurants/{documentId}']?.put?.requestBody ?? {}
    const data = content?.['application/json']?.schema.properties?.data
    assert.deepEqual(Object.keys(data?.properties ?? {}), ['stars'])
  })

  it('has no relation to a type that the caller may not list', () => {
    const document = documentFor({ 'api::restaurant.restaurant': ['find', 'create', 'update'] })
    assert.deepEqual(wordsIn(document, ['chef', 'dish']), [])
  })

  it('has no type in a polymorphic relation that the caller may not list', () => {
    const document = documentFor({ 'api::tag.tag': ['find', 'create'], 'api::dish.dish': ['find'] })
    assert.deepEqual(wordsIn(document, ['api::dish.dish', 'api::tag.tag', 'api::chef', 'api::restaurant']), [
      'api::dish.dish',
      'api::tag.tag',
    ])
  })
})
