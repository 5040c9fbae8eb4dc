import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, it } from 'node:test'
import { modelOfTypes } from '../../../test/support/models.ts'
import { loadProject } from '../../model/load-project.ts'
import { typescriptOf } from './module.ts'

const path = (file: string) => new URL(`../../../${file}`, import.meta.url).pathname

describe('the generated types of a project', () => {
  it('match the types that the client tests use', async () => {
    const { model } = await loadProject(path('test/reference/project'))
    const known = await readFile(path('test/client/schema.ts'), 'utf8')
    assert.ok(
      typescriptOf(model) === known,
      'generate it again: octavo types --project test/reference/project --out test/client/schema.ts',
    )
  })

  it('contain private attributes and passwords only in request bodies', () => {
    const text = typescriptOf(
      modelOfTypes({
        account: {
          attributes: {
            login: { type: 'string', required: true },
            secret: { type: 'password' },
            note: { type: 'text', private: true },
          },
        },
      }),
    )
    const interfaceNamed = (name: string) =>
      new RegExp(`export interface ${name} \\{\\n(.*?)\\n\\}`, 's').exec(text)?.[1] ?? ''
    assert.match(interfaceNamed('Account'), /login: string\n/)
    assert.doesNotMatch(interfaceNamed('Account'), /secret|note/)
    assert.doesNotMatch(interfaceNamed('AccountType'), /secret|note/)
    assert.match(interfaceNamed('AccountInput'), /secret\?: string \| null\n {2}note\?: string \| null/)
  })

  it('quote keys that are not identifiers, and escape enumeration values', () => {
    const model = modelOfTypes(
      {
        'front-page': {
          attributes: {
            mood: { type: 'enumeration', enum: ["it's", 'say "hi"', 'back\\slash', 'plain'] },
            body: { type: 'dynamiczone', components: ['block.pull-quote'] },
          },
        },
      },
      { 'block.pull-quote': { text: { type: 'text' } } },
    )
    const text = typescriptOf(model)
    assert.ok(text.includes(`mood: "it's" | 'say "hi"' | 'back\\\\slash' | 'plain' | null`))
    assert.ok(text.includes(`'block.pull-quote': BlockPullQuoteType`))
    assert.ok(text.includes(`'front-pages': FrontPageType`))
  })

  it('have no duplicate names', () => {
    const attributes = { label: { type: 'string' } }
    const text = typescriptOf(
      modelOfTypes(
        {
          menu: { attributes },
          'menu-input': { attributes },
          blocks: { attributes },
          'media-file': { attributes },
        },
        { 'menu.input': attributes },
      ),
    )
    const names = [...text.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name]) => name)
    assert.deepEqual(
      names.filter((name, index) => names.indexOf(name) !== index),
      [],
    )
  })

  it('include users and roles only if a relation refers to them', () => {
    const attributes = { label: { type: 'string' } }
    assert.doesNotMatch(typescriptOf(modelOfTypes({ tag: { attributes } })), /\bUser\b|\bRole\b/)
    const author = { type: 'relation', relation: 'manyToOne', target: 'plugin::users-permissions.user' }
    assert.match(
      typescriptOf(modelOfTypes({ tag: { attributes: { author } } })),
      /author: \{ toOne: UserType \}/,
    )
  })
})
