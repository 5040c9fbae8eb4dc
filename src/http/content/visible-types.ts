/**
 * Narrows the scope of a request by the `find` policies of the types that it reaches through relations. A type that the
 * caller may not find, by permission or by policy, is neither populated nor available to filters, sorts and bodies.
 */
import type { ContentType, Model, Shape } from '../../model/model.ts'
import type { ParamObject } from '../../query/params.ts'
import type { Scope } from '../../query/scope.ts'
import type { PreparedWriteResult } from '../../reads/reads.ts'
import { andThen, type MaybePromise } from '../../store/maybe-promise.ts'
import { withoutRefused } from '../extension/policies.ts'
import type { Server } from '../server.ts'
import { type ReadRequest, readTargetOf } from './explain.ts'

type ReadingServer = Pick<Server, 'extension' | 'reads' | 'layout'>

/** The same read with a scope that lacks the types whose policies refuse it. */
export function narrowReadScope<Request extends ReadRequest>(
  server: ReadingServer,
  request: Request,
): MaybePromise<Request> {
  const { extension } = server
  if (!extension.policies) return request
  const { type, query, scope } = request
  const target = readTargetOf(request)
  const { accessedTypes } = server.reads().queryAccess(type, target, query, scope)
  // The policies on `find` of the listed type itself were applied before.
  const others = [...accessedTypes].filter((uid) => target.kind === 'document' || uid !== type.uid)
  return andThen(withoutRefused(extension, scope, 'find', others), (narrowed) =>
    narrowed === scope ? request : { ...request, scope: narrowed },
  )
}

export interface NarrowedWrite {
  readonly scope: Scope
  readonly result: PreparedWriteResult
}

/** The same for a write, whose body may name documents of every type that its type has relations to. */
export async function narrowWriteScope(
  server: ReadingServer,
  type: ContentType,
  params: ParamObject,
  scope: Scope,
  kind: 'create' | 'update',
): Promise<NarrowedWrite> {
  const reads = server.reads()
  const result = reads.prepareWriteResult(type, params, scope, kind)
  await result.refuseTooLarge()
  const { extension } = server
  if (!extension.policies) return { scope, result }
  const types = new Set([...result.accessedTypes, ...relatedTypes(server.layout().model, type)])
  const narrowed = await withoutRefused(extension, scope, 'find', types)
  return {
    scope: narrowed,
    result: narrowed === scope ? result : reads.prepareWriteResult(type, params, narrowed, kind),
  }
}

/** The uids of the types that relations of a type lead to, including those in its components. */
function relatedTypes(model: Model, type: Shape): ReadonlySet<string> {
  const found = new Set<string>()
  const visited = new Set<Shape | undefined>([undefined])
  const visit = (shape: Shape | undefined) => {
    if (visited.has(shape)) return
    visited.add(shape)
    for (const attribute of shape?.attributes.values() ?? []) {
      if (attribute.kind === 'component') visit(model.components.get(attribute.component))
      if (attribute.kind === 'zone') for (const uid of attribute.components) visit(model.components.get(uid))
      if (attribute.kind !== 'relation') continue
      // A polymorphic relation can lead to any type.
      for (const uid of attribute.target === null ? model.types.keys() : [attribute.target]) found.add(uid)
    }
  }
  visit(type)
  return found
}
