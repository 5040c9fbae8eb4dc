/** Makes operation ids unique: generators name a function after each of them. */
import type { Paths } from './operation.ts'

/**
 * Adds numbers to ids that occur again. The last path with an id keeps it: content-types, whose paths are first, give way
 * to the server's own routes and to those of a project.
 */
export function numberRepeatedIds(paths: Paths): void {
  const declared = new Set(
    Object.values(paths).flatMap((operations) =>
      Object.values(operations).map(({ operationId }) => operationId),
    ),
  )
  const taken = new Set<string>()
  const uniqueId = (id: string) => {
    let unique = id
    for (let number = 2; taken.has(unique) || (unique !== id && declared.has(unique)); number++)
      unique = `${id}${number}`
    taken.add(unique)
    return unique
  }
  for (const [path, operations] of Object.entries(paths).reverse())
    paths[path] = Object.fromEntries(
      Object.entries(operations).map(([method, operation]) => [
        method,
        { ...operation, operationId: uniqueId(operation.operationId) },
      ]),
    )
}
