import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { styledJson, styleOf } from './json-style.ts'

const rewrite = (text: string) => styledJson(JSON.parse(text), styleOf(text))

test('unchanged JSON is written as it was', () => {
  for (const text of [
    '{}',
    '{"a":1}'.replace(':', ': '),
    '{ "a": 1 }\n',
    '{\n  "a": { "b": [1, 2], "c": "}{[,\\"" },\n  "d": []\n}\n',
    '{\n\t"a": {\n\t\t"b": [\n\t\t\t1,\n\t\t\t2\n\t\t]\n\t}\n}',
    '{\r\n    "a": {},\r\n    "b": [{ "c": null }, { "d": false }]\r\n}\r\n',
    '[\n  { "a:": "b: c" },\n  {\n    "e": 1\n  }\n]\n',
  ])
    assert.equal(rewrite(text), text)
})

test('the schema files of the examples are written as they were', () => {
  const root = join(import.meta.dirname, '../../examples/restaurants/src')
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.json'),
  )
  assert.ok(files.length > 20)
  for (const file of files) {
    const text = readFileSync(join(root, file), 'utf8')
    assert.equal(rewrite(text), text, file)
  }
})

test('new values are formatted like their siblings', () => {
  const text = '{\n  "info": { "name": "a" },\n  "attributes": {\n    "x": { "type": "string" }\n  }\n}\n'
  const value = {
    info: { name: 'a', label: 'A' },
    attributes: { x: { type: 'string', max: 3 }, y: { type: 'enumeration', enum: ['a', 'b'] } },
  }
  assert.equal(
    styledJson(value, styleOf(text)),
    `{
  "info": { "name": "a", "label": "A" },
  "attributes": {
    "x": { "type": "string", "max": 3 },
    "y": { "type": "enumeration", "enum": ["a", "b"] }
  }
}
`,
  )
})

test('a new file has one value per line', () => {
  const value = { attributes: { x: { type: 'string', list: [] } } }
  assert.equal(styledJson(value, styleOf(null)), `${JSON.stringify(value, null, 2)}\n`)
})
