/** What the paths of the admin interface have in common. */
import { jsonBody, jsonResponse, type Method, type Operation } from '../operation.ts'
import { openObject, type Schema } from '../schemas/schema.ts'

export type AdminOperation = Omit<Operation, 'tags'>

/** Puts an operation under a path of the admin interface. */
export type AddAdminOperation = (path: string, method: Method, operation: AdminOperation) => void

/** An answer with its data in an envelope. */
export const adminResponse = (description: string, data: Schema, meta?: Schema) =>
  jsonResponse(description, openObject({ data, ...(meta && { meta }) }, meta ? ['data', 'meta'] : ['data']))

/** A body with its data in an envelope. */
export const adminBody = (data: Schema) => jsonBody(openObject({ data }, ['data']))

export const DONE = { description: 'It is done.' }
