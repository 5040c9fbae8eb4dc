/** Adds the `explain` parameter and its response to read operations, for callers who may use it. */
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
    'For admins: returns how the data would be read instead of the data: the statement, its query plan, used and suggested indexes, and what each role would see.',
  schema: boolean,
}

export const addReadOperation = (
  builder: DocumentBuilder,
  paths: Paths,
  path: string,
  operation: Operation,
): void => addOperation(paths, path, 'get', withExplain(builder, operation))

export function withExplain<Read extends Omit<Operation, 'tags'>>(
  builder: DocumentBuilder,
  operation: Read,
): Read {
  const { 200: response } = operation.responses
  if (!builder.canExplain || !response || '$ref' in response) return operation
  return {
    ...operation,
    parameters: [...(operation.parameters ?? []), builder.sharedParameter('Explain', () => PARAMETER)],
    responses: { ...errorResponses(400), ...operation.responses, 200: orExplanation(builder, response) },
  }
}

function orExplanation(builder: DocumentBuilder, response: Response): Response {
  const explained = openObject({ data: explanation(builder), meta: { type: 'object' } }, ['data', 'meta'])
  const content = Object.entries(response.content ?? {}).map(([type, { schema }]) => [
    type,
    { schema: anyOf(schema, explained) },
  ])
  return { ...response, content: Object.fromEntries(content) }
}

const explanation = (builder: DocumentBuilder): Schema =>
  builder.sharedSchema(EXPLANATION_SCHEMA, () =>
    openObject(
      {
        engine: { type: 'string', enum: ['sqlite', 'postgres'] },
        statement: { ...string, description: 'The SQL statement of the read. It is not executed.' },
        parameters: arrayOf(anyOf(nullable(string), number), 'The parameters of the statement, in order.'),
        plan: {
          description: 'The query plan of the engine: lines on SQLite, a tree on PostgreSQL.',
          anyOf: [arrayOf(string), { type: ['object', 'null'] }],
        },
        indexes: openObject(
          {
            used: arrayOf(
              openObject({ name: string, table: string, on: arrayOf(string), automatic: boolean }, [
                'name',
                'table',
                'on',
              ]),
            ),
            suggested: arrayOf(suggestion, 'Missing indexes that would help.'),
            unserved: arrayOf(string, 'Conditions that no index can serve.'),
          },
          ['used', 'suggested', 'unserved'],
        ),
        search: {
          type: ['string', 'null'],
          enum: ['index', 'scan', null],
          description:
            'Whether a search index finds the documents, or all are read and compared; null without a search for text.',
        },
        scans: arrayOf(string, 'Tables that are scanned completely.'),
        estimate: {
          ...openObject(
            {
              rows: {
                ...integer,
                description: 'The documents and component entries of the response, about.',
              },
              multiplier: {
                ...openObject({ path: string, parameter: string, perDocument: number }, [
                  'path',
                  'parameter',
                  'perDocument',
                ]),
                type: ['object', 'null'],
                description: 'The populated relation that multiplies them most.',
              },
              limit: { ...integer, description: 'The setting limits.readRows.' },
            },
            ['rows', 'multiplier', 'limit'],
          ),
          type: ['object', 'null'],
          description: 'The estimated size of the response.',
        },
        omitted,
        roles: {
          type: 'object',
          description: 'What each role would get for the same read.',
          additionalProperties: openObject({ status: integer, omitted }, ['status', 'omitted']),
        },
      },
      [
        'engine',
        'statement',
        'parameters',
        'plan',
        'indexes',
        'search',
        'scans',
        'estimate',
        'omitted',
        'roles',
      ],
    ),
  )

const omitted = arrayOf(string, 'Populated paths that are omitted for lack of permission.')

const suggestion = openObject(
  {
    contentType: string,
    on: arrayOf(string, 'The attributes of the index, in order.'),
    because: string,
    declare: {
      description:
        'What to add to the schema of the content-type, or the SQL statement that creates the index.',
      anyOf: [string, { type: 'object' }],
    },
  },
  ['contentType', 'on', 'because', 'declare'],
)
