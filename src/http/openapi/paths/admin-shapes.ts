/** What the paths of the admin interface have in common. */
import { jsonAnswer, jsonBody, type Method, type Operation } from '../operation.ts'
import { open, type Schema } from '../schemas/schema.ts'

export type Told = Omit<Operation, 'tags'>

/** Puts an operation under a path of the admin interface. */
export type Tell = (path: string, method: Method, operation: Told) => void

/** An answer with its data in an envelope. */
export const answer = (description: string, data: Schema, meta?: Schema) =>
  jsonAnswer(description, open({ data, ...(meta && { meta }) }, meta ? ['data', 'meta'] : ['data']))

/** A body with its data in an envelope. */
export const body = (data: Schema) => jsonBody(open({ data }, ['data']))

export const DONE = { description: 'It is done.' }
