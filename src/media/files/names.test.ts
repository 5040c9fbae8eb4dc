import assert from 'node:assert/strict'
import { test } from 'node:test'
import { displayName, isStorageKey, parseFolderPath, storageName } from './names.ts'

test('the display name is the last part of a path, without control characters', () => {
  assert.equal(displayName('Menü du jour.txt'), 'Menü du jour.txt')
  assert.equal(displayName('../../etc/passwd'), 'passwd')
  assert.equal(displayName('C:\\Users\\me\\photo.png'), 'photo.png')
  assert.equal(displayName('a\r\nSet-Cookie: x\u0000\u202egnp.exe'), 'aSet-Cookie: xgnp.exe')
  assert.equal(displayName(undefined), 'file')
  assert.equal(displayName('..'), '..')
  assert.equal(displayName('x'.repeat(1000)).length, 255)
})

test('a storage key is safe whatever the name of the file', () => {
  for (const hostile of [
    '../../a.png',
    '.htaccess',
    'a\u0000.png',
    'CON',
    '菜单.pdf',
    '%2e%2e%2f',
    '',
    'x'.repeat(999),
  ]) {
    assert.ok(isStorageKey(`${storageName(hostile)}.png`), hostile)
  }
  assert.match(storageName('Menü du jour.txt'), /^menu_du_jour_[0-9a-f]{16}$/)
  assert.notEqual(storageName('a.png'), storageName('a.png'))
})

test('the key of a derived format fits into a path segment', () => {
  const key = `${'f'.repeat(30)}_${storageName('x'.repeat(999))}.sqlite`
  assert.ok(key.length <= 100, key)
})

test('a path is not a storage key', () => {
  for (const key of [
    '../a.png',
    'a/b.png',
    '.env',
    'a',
    'a.',
    '',
    '..',
    'a\\b.png',
    'a%2fb.png',
    '.incoming',
  ]) {
    assert.equal(isStorageKey(key), false, key)
  }
})

test('folder paths are normalized', () => {
  assert.equal(parseFolderPath(''), '/')
  assert.equal(parseFolderPath('menus/2024/'), '/menus/2024')
  assert.equal(parseFolderPath('/Menüs // 2024'), '/Menüs/2024')
  for (const wrong of ['/a/../b', '.hidden', 'a/b/c/d/e/f/g/h/i/j/k', `${'x'.repeat(101)}`, 'a\u0000b']) {
    assert.throws(() => parseFolderPath(wrong), { name: 'ValidationError' })
  }
})
