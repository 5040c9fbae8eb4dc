/** Assertions on refused writes. */
import assert from 'node:assert/strict'
import { ApiError } from '../../src/errors.ts'

/** The error of a write that must fail, as an ApiError. */
export async function refusal(write: Promise<unknown>): Promise<ApiError> {
  try {
    await write
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
  throw new assert.AssertionError({ message: 'The write was not refused' })
}

/** The paths of a ValidationError, dotted and sorted. */
export async function refusedPaths(write: Promise<unknown>): Promise<string[]> {
  const error = await refusal(write)
  assert.equal(error.name, 'ValidationError', error.message)
  const list = error.details.errors
  assert.ok(Array.isArray(list), `no values are named: ${error.message}`)
  return list.map((one: { path: string[] }) => one.path.join('.')).sort()
}

/** The key that a ValidationError refuses, with its path. */
export async function refusedKey(write: Promise<unknown>): Promise<unknown[]> {
  const { name, details } = await refusal(write)
  return [name, details.key, details.path, details.source]
}
