/**
 * Writing schema files back to a project folder: only those that differ, with the keys in the order and the lines in the
 * layout that the file has already, so that a diff shows the change and nothing else.
 */
import { mkdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { styledJson, styleOf } from './json-style.ts'
import type { SchemaSource } from './source.ts'
import { isObject } from './values.ts'

/** Files that are written but not yet in place. */
export interface PreparedFiles {
  /** Puts the files in place and removes those that went. */
  commit(): Promise<void>
  /** Leaves the folder as it was. */
  discard(): Promise<void>
}

interface Written {
  readonly path: string
  readonly aside: string
}

/** Writes what differs between two lists of schemas beside its place. Fails when the folder cannot be written to. */
export async function prepareSchemas(
  dir: string,
  before: readonly SchemaSource[],
  after: readonly SchemaSource[],
): Promise<PreparedFiles> {
  const written: Written[] = []
  const discard = async () => {
    for (const { aside } of written) await rm(aside, { force: true })
  }
  try {
    for (const source of after) {
      const known = before.find((one) => one.file === source.file)
      if (known && sameSchema(known.schema, source.schema)) continue
      const path = join(dir, source.file)
      const text = schemaText(source.schema, await textAt(path))
      await mkdir(dirname(path), { recursive: true })
      const aside = join(dirname(path), `.${process.pid}-${written.length}.octavo`)
      written.push({ path, aside })
      await writeFile(aside, text)
    }
  } catch (error) {
    await discard()
    throw error
  }
  const gone = before.filter((source) => !after.some((one) => one.file === source.file))
  return {
    discard,
    async commit() {
      for (const { path, aside } of written) await rename(aside, path)
      for (const { file } of gone) await remove(dir, file)
    },
  }
}

/** Objects are equal whatever the order of their keys, except that attributes have one. */
const sameSchema = (one: unknown, other: unknown): boolean =>
  isDeepStrictEqual(one, other) && attributeNames(one).join() === attributeNames(other).join()

const attributeNames = (schema: unknown): readonly string[] =>
  isObject(schema) && isObject(schema.attributes) ? Object.keys(schema.attributes) : []

/** The text of a schema file. Keys that the former text has stand where they stood, and look as they looked. */
function schemaText(schema: unknown, formerText: string | null): string {
  const former = parsed(formerText)
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

const textAt = async (path: string): Promise<string | null> =>
  readFile(path, 'utf8').then(
    (text) => text.replace(/^\uFEFF/, ''),
    () => null,
  )

/** The JSON of a text; undefined when it is none. */
function parsed(text: string | null): unknown {
  try {
    const value: unknown = text === null ? undefined : JSON.parse(text)
    return value
  } catch {
    return undefined
  }
}

/** Removes a file, and the folders that held nothing else. */
async function remove(dir: string, file: string) {
  await rm(join(dir, file), { force: true })
  for (let folder = dirname(file); folder.split('/').length > 2; folder = dirname(folder)) {
    try {
      await rmdir(join(dir, folder))
    } catch {
      return
    }
  }
}
