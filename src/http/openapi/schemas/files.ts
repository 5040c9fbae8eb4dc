/** What the schema of a file says beyond the types of its attributes. */
import type { DocumentBuilder } from '../document-builder.ts'
import { integer, nullable, number, openObject, type Schema, string } from './schema.ts'

/** The schema of an attribute of files, better than its JSON type tells. */
export function fileField(builder: DocumentBuilder, name: string, schema: Schema): Schema {
  switch (name) {
    case 'formats':
      return nullable({
        type: 'object',
        description: 'Smaller copies of a picture, by the name of the format.',
        additionalProperties: formatSchema(builder),
      })
    case 'focalPoint':
      return nullable(openObject({ x: number, y: number }, ['x', 'y']))
    case 'provider_metadata':
      return nullable({ type: 'object' })
    case 'size':
      return { ...schema, description: 'In kilobytes.' }
    default:
      return schema
  }
}

const formatSchema = (builder: DocumentBuilder): Schema =>
  builder.sharedSchema('FileFormat', () =>
    openObject({
      name: string,
      hash: string,
      ext: string,
      mime: string,
      path: nullable(string),
      width: integer,
      height: integer,
      size: number,
      sizeInBytes: integer,
      url: string,
    }),
  )
