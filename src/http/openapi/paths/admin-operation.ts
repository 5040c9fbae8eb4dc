/** What the operations of the admin API have in common. */
import { jsonBody, jsonResponse, type Method, type Operation } from '../operation.ts'
import { openObject, type Schema } from '../schemas/schema.ts'

export type AdminOperation = Omit<Operation, 'tags'>

export type AddAdminOperation = (path: string, method: Method, operation: AdminOperation) => void

export const adminResponse = (description: string, data: Schema, meta?: Schema) =>
  jsonResponse(description, openObject({ data, ...(meta && { meta }) }, meta ? ['data', 'meta'] : ['data']))

export const adminBody = (data: Schema) => jsonBody(openObject({ data }, ['data']))

export const DONE = { description: 'Done.' }
