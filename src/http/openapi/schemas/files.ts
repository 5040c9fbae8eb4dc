/** What the schema of a file says beyond the types of its attributes. */
import type { Drawing } from '../document-builder.ts'
import { integer, nullable, number, open, type Schema, text } from './schema.ts'

/** The schema of an attribute of files, better than its JSON type tells. */
export function fileField(d: Drawing, name: string, schema: Schema): Schema {
  switch (name) {
    case 'formats':
      return nullable({
        type: 'object',
        description: 'Smaller copies of a picture, by the name of the format.',
        additionalProperties: formatSchema(d),
      })
    case 'focalPoint':
      return nullable(open({ x: number, y: number }, ['x', 'y']))
    case 'provider_metadata':
      return nullable({ type: 'object' })
    case 'size':
      return { ...schema, description: 'In kilobytes.' }
    default:
      return schema
  }
}

const formatSchema = (d: Drawing): Schema =>
  d.shared('FileFormat', () =>
    open({
      name: text,
      hash: text,
      ext: text,
      mime: text,
      path: nullable(text),
      width: integer,
      height: integer,
      size: number,
      sizeInBytes: integer,
      url: text,
    }),
  )
