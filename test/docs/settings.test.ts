import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { storageProviders } from '../../src/media/storage/providers.ts'
import { defaults } from '../../src/project/config/defaults.ts'
import { variableName } from '../../src/project/config/environment.ts'
import { scalarSettings } from '../../src/project/config/merge-config.ts'

const page = readFileSync(path.join(import.meta.dirname, '../../docs/configuration.md'), 'utf8')

test('every setting is documented with its default and environment variable', () => {
  for (const [setting, { parse: read }] of scalarSettings()) {
    const row = page.split('\n').find((line) => line.startsWith(`| \`${setting}\` |`))
    assert.ok(row, `docs/configuration.md lacks ${setting}`)
    if (read) assert.ok(row.includes(`\`${variableName(setting)}\``), `${setting} lacks its variable`)
    const value = defaultOf(setting)
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    if (value !== null && (typeof value !== 'object' || Array.isArray(value)) && value !== undefined)
      assert.ok(row.includes(`| \`${text}\` |`), `${setting} is ${text}`)
  }
})

test('every documented setting exists', () => {
  const providers = Object.keys(storageProviders).map((key) => `upload.${key}`)
  const known = new Set([...scalarSettings().map(([setting]) => setting), ...providers])
  for (const [, setting = ''] of page.matchAll(/^\| `([\w.]+)` \|/gm)) assert.ok(known.has(setting), setting)
})

test('the table of limits has the defaults of its settings', () => {
  const guide = readFileSync(path.join(import.meta.dirname, '../../docs/reliability.md'), 'utf8')
  const rows = [...guide.matchAll(/^\| [^|]+ \| ([^|]+) \| `([\w.]+)` \|/gm)]
  assert.ok(rows.length > 20)
  for (const [, shown = '', setting = ''] of rows) {
    const value = defaultOf(setting)
    if (typeof value === 'number') assert.equal(shown, `\`${value}\``, setting)
    else assert.notEqual(value, undefined, setting)
  }
})

const defaultOf = (setting: string) =>
  setting.split('.').reduce<unknown>((value, key) => Reflect.get(Object(value), key), defaults)
