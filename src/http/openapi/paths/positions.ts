/** The `Octavo-Position` header: returned by writes, and sent with reads that must include a write. */
import type { DocumentBuilder } from '../document-builder.ts'
import type { Header, Operation, Parameter, Paths, Response } from '../operation.ts'
import { string } from '../schemas/schema.ts'

const NAME = 'Octavo-Position'

const PARAMETER: Parameter = {
  name: NAME,
  in: 'header',
  description:
    'The position from the response to a write. The read then includes that write, whichever process or replica serves it.',
  schema: string,
}

export const POSITION_HEADER: Readonly<Record<string, Header>> = {
  Position: {
    description:
      'The position of the write in the log of the database. Send it with reads that must include the write.',
    schema: string,
  },
}

/** Adds the header to the requests of reads and to the responses of writes. */
export function addPositions(builder: DocumentBuilder, paths: Paths): void {
  for (const [path, operations] of Object.entries(paths)) {
    const all = Object.entries(operations).map(([method, operation]) => [
      method,
      method === 'get' ? withPositionParameter(builder, operation) : withPositionHeaders(operation),
    ])
    paths[path] = Object.fromEntries(all)
  }
}

const withPositionParameter = (builder: DocumentBuilder, operation: Operation): Operation => ({
  ...operation,
  parameters: [...(operation.parameters ?? []), builder.sharedParameter('Position', () => PARAMETER)],
})

const withPositionHeaders = (operation: Operation): Operation => ({
  ...operation,
  responses: Object.fromEntries(
    Object.entries(operation.responses).map(([status, response]) => [
      status,
      '$ref' in response ? response : withPositionHeader(response),
    ]),
  ),
})

const withPositionHeader = (response: Response): Response => ({
  ...response,
  headers: { ...response.headers, [NAME]: { $ref: '#/components/headers/Position' } },
})
