import assert from 'node:assert/strict'
import { test } from 'node:test'
import { notesOf } from '../../scripts/release-notes.ts'

const CHANGELOG = `# Changelog

## [Unreleased]

- later

## [1.10.0] - 2026-11-20

### Added

- ten

## [1.1.0] - 2026-11-16

- one
`

test('the notes of a release are its section of the changelog', () => {
  assert.equal(notesOf(CHANGELOG, '1.10.0'), '### Added\n\n- ten')
  assert.equal(notesOf(CHANGELOG, '1.1.0'), '- one')
})

test('a version without a section cannot be released', () => {
  assert.throws(() => notesOf(CHANGELOG, '2.0.0'), /no section for version 2\.0\.0/)
})
