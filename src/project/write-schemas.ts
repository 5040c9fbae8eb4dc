/**
 * Writes schema files to a project folder. Only files that differ are written, with their order of keys and formatting
 * preserved, so that a diff shows only the change.
 */
import { mkdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { styledJson, styleOf } from './json-style.ts'
import type { SchemaSource } from './source.ts'
import { isObject } from './values.ts'

/** Files that are written to temporary names and not yet in place. */
export interface PreparedFiles {
  /** Moves the files into place and deletes removed ones. */
  commit(): Promise<void>
  /** Deletes the temporary files. */
  discard(): Promise<void>
}

interface WrittenFile {
  readonly path: string
  readonly temporary: string
}

/** Writes the schemas that differ to temporary files. Fails if the folder is not writable. */
export async function prepareSchemas(
  dir: string,
  before: readonly SchemaSource[],
  after: readonly SchemaSource[],
): Promise<PreparedFiles> {
  const written: WrittenFile[] = []
  const discard = async () => {
    for (const { temporary } of written) await rm(temporary, { force: true })
  }
  try {
    for (const source of after) {
      const known = before.find((one) => one.file === source.file)
      if (known && sameSchema(known.schema, source.schema)) continue
      const path = join(dir, source.file)
      const text = schemaText(source.schema, await readText(path))
      await mkdir(dirname(path), { recursive: true })
      const temporary = join(dirname(path), `.${process.pid}-${written.length}.octavo`)
      written.push({ path, temporary })
      await writeFile(temporary, text)
    }
  } catch (error) {
    await discard()
    throw error
  }
  const removed = before.filter((source) => !after.some((one) => one.file === source.file))
  return {
    discard,
    async commit() {
      for (const { path, temporary } of written) await rename(temporary, path)
      for (const { file } of removed) await removeFile(dir, file)
    },
  }
}

/** Compares schemas regardless of the order of keys, except for attributes. */
const sameSchema = (one: unknown, other: unknown): boolean =>
  isDeepStrictEqual(one, other) && attributeNames(one).join() === attributeNames(other).join()

const attributeNames = (schema: unknown): readonly string[] =>
  isObject(schema) && isObject(schema.attributes) ? Object.keys(schema.attributes) : []

/** The text of a schema file. Keys that the former text has keep their position and formatting. */
function schemaText(schema: unknown, formerText: string | null): string {
  const former = parseJson(formerText)
  const style = styleOf(former === undefined ? null : formerText)
  const ordered = inOrderOf(schema, former)
  const attributes = isObject(schema) && isObject(schema.attributes) ? schema.attributes : null
  if (!isObject(ordered) || !attributes) return styledJson(ordered, style)
  const known = isObject(former) && isObject(former.attributes) ? former.attributes : {}
  const inDeclaredOrder = Object.entries(attributes).map(([name, one]) => [name, inOrderOf(one, known[name])])
  return styledJson({ ...ordered, attributes: Object.fromEntries(inDeclaredOrder) }, style)
}

function inOrderOf(value: unknown, former: unknown): unknown {
  if (!isObject(value) || !isObject(former)) return value
  const kept = Object.keys(former).filter((key) => Object.hasOwn(value, key))
  const added = Object.keys(value).filter((key) => !Object.hasOwn(former, key))
  return Object.fromEntries([...kept, ...added].map((key) => [key, inOrderOf(value[key], former[key])]))
}

const readText = async (path: string): Promise<string | null> =>
  readFile(path, 'utf8').then(
    (text) => text.replace(/^\uFEFF/, ''),
    () => null,
  )

/** The parsed JSON; undefined if it is invalid. */
function parseJson(text: string | null): unknown {
  try {
    const value: unknown = text === null ? undefined : JSON.parse(text)
    return value
  } catch {
    return undefined
  }
}

/** Deletes a file, and the folders that it leaves empty. */
async function removeFile(dir: string, file: string) {
  await rm(join(dir, file), { force: true })
  for (let folder = dirname(file); folder.split('/').length > 2; folder = dirname(folder)) {
    try {
      await rmdir(join(dir, folder))
    } catch {
      return
    }
  }
}
