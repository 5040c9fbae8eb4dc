/** An attribute type is one file and a line in the index: no other file of `src` names attribute types. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { isScalarTypeName } from './index.ts'

const SRC = path.join(import.meta.dirname, '..', '..')

/** Files that may name types, each for its own reason. */
const EXCEPTIONS = new Map([
  ['model/built-in-types.ts', 'schemas of the built-in content-types'],
  ['cli/new/files.ts', 'the schema of a new project'],
  ['query/find-name.ts', 'the fields that every document has'],
  ['cli/typescript/shape.ts', 'the fields that every document has'],
  ['cli/typescript/prelude.ts', 'the nodes of rich text'],
  ['client/filters.ts', 'runs in browsers and imports nothing'],
  ['project/strapi/config-modules.ts', 'the type of a module'],
  ['cli/strapi/database/parts.ts', 'the types of settings that Strapi stores'],
])

/** A comparison with, a case for, or a list of type names. */
const USES = [
  /(?<!typeof )\btype\)? (?:===|!==) '(\w+)'/g,
  /\btype: '(\w+)'/g,
  /(?:ScalarTypeName|Field\['type'\])[^\n]*'(\w+)'/g,
  /\bscalarTypes\.(\w+)\b/g,
]

/** JSON Schema has types of the same names. */
const isJsonSchema = (file: string) => /^http\/(openapi|admin|mcp)\//.test(file)

const typesNamedIn = (text: string): string[] =>
  USES.flatMap((use) => [...text.matchAll(use)].map(([, name = '']) => name)).filter(isScalarTypeName)

test('only the definitions name attribute types', () => {
  const found = globSync('**/*.ts', { cwd: SRC })
    .filter((file) => !file.endsWith('.test.ts') && !file.startsWith('model/scalars/'))
    .filter((file) => !EXCEPTIONS.has(file) && !isJsonSchema(file))
    .flatMap((file) =>
      typesNamedIn(readFileSync(path.join(SRC, file), 'utf8')).map((name) => `${file}: ${name}`),
    )
  assert.deepEqual(found, [])
})

test('the check sees comparisons, lists and members', () => {
  assert.deepEqual(typesNamedIn("if (attribute.type === 'uid') return scalarTypes.json"), ['uid', 'json'])
  assert.deepEqual(typesNamedIn("const LONG: readonly ScalarTypeName[] = ['text']"), ['text'])
})
