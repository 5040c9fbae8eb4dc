/** Reads that can be explained: in the document of those who may ask for it, with the parameter and its answer. */
import { type DocumentBuilder, EXPLANATION_SCHEMA } from '../document-builder.ts'
import { addOperation, type Operation, type Parameter, type Paths, type Response } from '../operation.ts'
import {
  anyOf,
  arrayOf,
  boolean,
  integer,
  nullable,
  number,
  openObject,
  type Schema,
  string,
} from '../schemas/schema.ts'
import { errorResponses } from './error-responses.ts'

const PARAMETER: Parameter = {
  name: 'explain',
  in: 'query',
  description:
    'For admins: instead of the data, how it would be read, which indexes serve that, which would help, and what is left out for whom.',
  schema: boolean,
}

/** Adds a GET that reads content. */
export const addReadOperation = (
  builder: DocumentBuilder,
  paths: Paths,
  path: string,
  operation: Operation,
): void => addOperation(paths, path, 'get', withExplain(builder, operation))

/** The operation of a GET that reads content. */
export function withExplain<Given extends Omit<Operation, 'tags'>>(
  builder: DocumentBuilder,
  operation: Given,
): Given {
  const { 200: answer } = operation.responses
  if (!builder.canExplain || !answer || '$ref' in answer) return operation
  return {
    ...operation,
    parameters: [...(operation.parameters ?? []), builder.sharedParameter('Explain', () => PARAMETER)],
    responses: { ...errorResponses(400), ...operation.responses, 200: orExplanation(builder, answer) },
  }
}

function orExplanation(builder: DocumentBuilder, answer: Response): Response {
  const told = openObject({ data: explanation(builder), meta: { type: 'object' } }, ['data', 'meta'])
  const content = Object.entries(answer.content ?? {}).map(([type, { schema }]) => [
    type,
    { schema: anyOf(schema, told) },
  ])
  return { ...answer, content: Object.fromEntries(content) }
}

const explanation = (builder: DocumentBuilder): Schema =>
  builder.sharedSchema(EXPLANATION_SCHEMA, () =>
    openObject(
      {
        engine: { type: 'string', enum: ['sqlite', 'postgres'] },
        statement: { ...string, description: 'The one statement of the read; it is not run.' },
        parameters: arrayOf(anyOf(nullable(string), number), 'Its values, in order.'),
        plan: {
          description: 'What the engine tells: lines of SQLite, a tree of PostgreSQL.',
          anyOf: [arrayOf(string), { type: ['object', 'null'] }],
        },
        indexes: openObject(
          {
            used: arrayOf(
              openObject({ name: string, table: string, on: arrayOf(string) }, ['name', 'table', 'on']),
            ),
            suggested: arrayOf(advice, 'Indexes that are not there and would help.'),
            unserved: arrayOf(string, 'What no index serves, in words.'),
          },
          ['used', 'suggested', 'unserved'],
        ),
        scans: arrayOf(string, 'Tables of which every row is read.'),
        omitted,
        roles: {
          type: 'object',
          description: 'What somebody of each role would get for the same read.',
          additionalProperties: openObject({ status: integer, omitted }, ['status', 'omitted']),
        },
      },
      ['engine', 'statement', 'parameters', 'plan', 'indexes', 'scans', 'omitted', 'roles'],
    ),
  )

const omitted = arrayOf(string, 'Populated paths that are left out for lack of permission.')

const advice = openObject(
  {
    contentType: string,
    on: arrayOf(string, 'What it would hold, in this order.'),
    because: string,
    declare: {
      description: 'What to put into the schema of the content-type, or the statement that makes the index.',
      anyOf: [string, { type: 'object' }],
    },
  },
  ['contentType', 'on', 'because', 'declare'],
)
