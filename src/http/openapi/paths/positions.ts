/** `Octavo-Position`, where the engine has positions: what a write answers with, a read may bring along. */
import type { DocumentBuilder } from '../document-builder.ts'
import type { Header, Operation, Parameter, Paths, Response } from '../operation.ts'
import { string } from '../schemas/schema.ts'

const NAME = 'Octavo-Position'

const PARAMETER: Parameter = {
  name: NAME,
  in: 'header',
  description:
    'The position that the answer to a write gave you: whichever process or replica reads, the answer shows that write.',
  schema: string,
}

/** The header of answers, for the shared part of the document. */
export const POSITION_HEADER: Readonly<Record<string, Header>> = {
  Position: {
    description: 'Where the write lies in the log of the database, for reads that must show it.',
    schema: string,
  },
}

/** Puts the header into every operation: into the requests that read, and the answers to those that write. */
export function addPositions(builder: DocumentBuilder, paths: Paths): void {
  for (const [path, operations] of Object.entries(paths)) {
    const all = Object.entries(operations).map(([method, operation]) => [
      method,
      method === 'get' ? bringing(builder, operation) : giving(operation),
    ])
    paths[path] = Object.fromEntries(all)
  }
}

const bringing = (builder: DocumentBuilder, operation: Operation): Operation => ({
  ...operation,
  parameters: [...(operation.parameters ?? []), builder.sharedParameter('Position', () => PARAMETER)],
})

const giving = (operation: Operation): Operation => ({
  ...operation,
  responses: Object.fromEntries(
    Object.entries(operation.responses).map(([status, answer]) => [
      status,
      '$ref' in answer ? answer : withPosition(answer),
    ]),
  ),
})

const withPosition = (answer: Response): Response => ({
  ...answer,
  headers: { ...answer.headers, [NAME]: { $ref: '#/components/headers/Position' } },
})
