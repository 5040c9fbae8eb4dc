/** Schemas of the JSON attributes of files. */
import type { DocumentBuilder } from '../document-builder.ts'
import { integer, nullable, number, openObject, type Schema, string } from './schema.ts'

export function fileField(builder: DocumentBuilder, name: string, schema: Schema): Schema {
  switch (name) {
    case 'formats':
      return nullable({
        type: 'object',
        description: 'Smaller versions of an image, by format name.',
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
