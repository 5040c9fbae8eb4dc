import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createProjectFolder } from '../../test/support/project-folder.ts'
import { ProjectError } from '../project/problems.ts'
import { loadProject } from './load-project.ts'

const recorded = fileURLToPath(new URL('../../test/reference/project', import.meta.url))

test('an existing project folder can be loaded unchanged', async () => {
  const { config, model } = await loadProject(recorded, {})
  assert.deepEqual(
    [...model.endpoints.keys()],
    [
      ...[
        'accounts',
        'articles',
        'banner',
        'categories',
        'chefs',
        'comments',
        'dishes',
        'homepage',
        'people',
      ],
      ...['restaurants', 'reviews', 'setting', 'tags'],
    ],
  )
  assert.equal(model.components.size, 11)
  assert.deepEqual(model.locales, { default: 'en', codes: ['en', 'fr', 'it'] })
  assert.deepEqual(Object.keys(config.roles), ['public', 'authenticated'])
  assert.deepEqual(Object.keys(config.tokens), ['full', 'readonly', 'custom'])
})

test('problems of configuration and schema are reported in one error', async (t) => {
  const dir = createProjectFolder(t, {
    'config/api.json': { rest: { maxLimit: 'all' } },
    'src/api/dish/content-types/dish/schema.json': {
      attributes: { chef: { type: 'relation', relation: 'manyToOne', target: 'api::cheff.cheff' } },
    },
    'src/api/chef/content-types/chef/schema.json': { attributes: { id: { type: 'string' } } },
  })
  await assert.rejects(loadProject(dir, { PORT: 'x' }), (error) => {
    assert.ok(error instanceof ProjectError)
    assert.equal(
      error.message,
      [
        `4 errors in project ${dir}`,
        '  config/api.json: api.rest.maxLimit: must be an integer of at least 1',
        '  environment variable PORT: must be an integer from 0 to 65535',
        '  src/api/chef/content-types/chef/schema.json: attributes.id: this name is reserved',
        '  src/api/dish/content-types/dish/schema.json: attributes.chef.target: unknown content-type "api::cheff.cheff"; did you mean "api::chef.chef"?',
      ].join('\n'),
    )
    return true
  })
})

test('a permission for an unknown content-type is refused', async (t) => {
  const dir = createProjectFolder(t, {
    'src/api/dish/content-types/dish/schema.json': { attributes: {} },
    'config/roles.json': { public: { 'api::dihs.dish': ['find'], 'plugin::upload.file': ['find'] } },
    'config/tokens.json': {
      shop: { type: 'custom', token: 'x', permissions: { 'api::dish.dish': ['find'] } },
    },
  })
  await assert.rejects(loadProject(dir, {}), {
    message: `1 error in project ${dir}\n  configuration: roles.public.api::dihs.dish: unknown content-type "api::dihs.dish"; did you mean "api::dish.dish"?`,
  })
})
