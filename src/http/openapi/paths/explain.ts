/** Reads that can be explained: in the document of those who may ask for it, with the parameter and its answer. */
import { type Drawing, EXPLAINED } from '../document-builder.ts'
import { add, type Operation, type Parameter, type Paths, type Response } from '../operation.ts'
import {
  anyOf,
  boolean,
  integer,
  list,
  nullable,
  number,
  open,
  type Schema,
  text,
} from '../schemas/schema.ts'
import { failuresOf } from './failures.ts'

const PARAMETER: Parameter = {
  name: 'explain',
  in: 'query',
  description:
    'For admins: instead of the data, how it would be read, which indexes serve that, which would help, and what is left out for whom.',
  schema: boolean,
}

/** Adds a GET that reads content. */
export const addRead = (d: Drawing, paths: Paths, path: string, operation: Operation): void =>
  add(paths, path, 'get', explainable(d, operation))

/** The operation of a GET that reads content. */
export function explainable<Given extends Omit<Operation, 'tags'>>(d: Drawing, operation: Given): Given {
  const { 200: answer } = operation.responses
  if (!d.explains || !answer || '$ref' in answer) return operation
  return {
    ...operation,
    parameters: [...(operation.parameters ?? []), d.parameter('Explain', () => PARAMETER)],
    responses: { ...failuresOf(400), ...operation.responses, 200: orExplanation(d, answer) },
  }
}

function orExplanation(d: Drawing, answer: Response): Response {
  const told = open({ data: explanation(d), meta: { type: 'object' } }, ['data', 'meta'])
  const content = Object.entries(answer.content ?? {}).map(([type, { schema }]) => [
    type,
    { schema: anyOf(schema, told) },
  ])
  return { ...answer, content: Object.fromEntries(content) }
}

const explanation = (d: Drawing): Schema =>
  d.shared(EXPLAINED, () =>
    open(
      {
        engine: { type: 'string', enum: ['sqlite', 'postgres'] },
        statement: { ...text, description: 'The one statement of the read; it is not run.' },
        parameters: list(anyOf(nullable(text), number), 'Its values, in order.'),
        plan: {
          description: 'What the engine tells: lines of SQLite, a tree of PostgreSQL.',
          anyOf: [list(text), { type: ['object', 'null'] }],
        },
        indexes: open(
          {
            used: list(open({ name: text, table: text, on: list(text) }, ['name', 'table', 'on'])),
            suggested: list(advice, 'Indexes that are not there and would help.'),
            unserved: list(text, 'What no index serves, in words.'),
          },
          ['used', 'suggested', 'unserved'],
        ),
        scans: list(text, 'Tables of which every row is read.'),
        omitted,
        roles: {
          type: 'object',
          description: 'What somebody of each role would get for the same read.',
          additionalProperties: open({ status: integer, omitted }, ['status', 'omitted']),
        },
      },
      ['engine', 'statement', 'parameters', 'plan', 'indexes', 'scans', 'omitted', 'roles'],
    ),
  )

const omitted = list(text, 'Populated paths that are left out for lack of permission.')

const advice = open(
  {
    contentType: text,
    on: list(text, 'What it would hold, in this order.'),
    because: text,
    declare: {
      description: 'What to put into the schema of the content-type, or the statement that makes the index.',
      anyOf: [text, { type: 'object' }],
    },
  },
  ['contentType', 'on', 'because', 'declare'],
)
