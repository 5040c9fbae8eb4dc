/**
 * What callers see through relations. Who may not `find` documents of a type, by permission or by policy, does not see
 * them from elsewhere either: neither populated nor in filters and sorts, nor can a body name them.
 */
import type { ContentType, Model, Shape } from '../../model/model.ts'
import type { ParamObject } from '../../query/params.ts'
import type { Scope } from '../../query/scope.ts'
import type { PreparedWriteResult } from '../../reads/reads.ts'
import { andThen, type MaybePromise } from '../../store/maybe-promise.ts'
import { withoutRefused } from '../extension/policies.ts'
import type { Server } from '../server.ts'
import { type ReadRequest, readTargetOf } from './explain.ts'

type Serving = Pick<Server, 'extension' | 'reads' | 'layout'>

/** A read with the scope that it is made with: without the types it leads to whose policies say no. */
export function narrowReadScope<Read extends ReadRequest>(server: Serving, asked: Read): MaybePromise<Read> {
  const { extension } = server
  if (!extension.policies) return asked
  const { type, query, scope } = asked
  const wanted = readTargetOf(asked)
  const { accessedTypes } = server.reads().queryAccess(type, wanted, query, scope)
  // Whoever lists documents of a type was asked about them already.
  const others = [...accessedTypes].filter((uid) => wanted.kind === 'document' || uid !== type.uid)
  return andThen(withoutRefused(extension, scope, 'find', others), (seen) =>
    seen === scope ? asked : { ...asked, scope: seen },
  )
}

export interface NarrowedWrite {
  /** What is written with. */
  readonly scope: Scope
  readonly answer: PreparedWriteResult
}

/** The same for a write, whose body may name documents of every type that its own has relations to. */
export async function narrowWriteScope(
  server: Serving,
  type: ContentType,
  params: ParamObject,
  scope: Scope,
  kind: 'create' | 'update',
): Promise<NarrowedWrite> {
  const reads = server.reads()
  const answer = reads.prepareWriteResult(type, params, scope, kind)
  const { extension } = server
  if (!extension.policies) return { scope, answer }
  const types = new Set([...answer.accessedTypes, ...relatedTypes(server.layout().model, type)])
  const seen = await withoutRefused(extension, scope, 'find', types)
  return { scope: seen, answer: seen === scope ? answer : reads.prepareWriteResult(type, params, seen, kind) }
}

/** uids of the types that relations of a type lead to, those in its components included. */
function relatedTypes(model: Model, type: Shape): ReadonlySet<string> {
  const found = new Set<string>()
  const looked = new Set<Shape | undefined>([undefined])
  const look = (shape: Shape | undefined) => {
    if (looked.has(shape)) return
    looked.add(shape)
    for (const attribute of shape?.attributes.values() ?? []) {
      if (attribute.kind === 'component') look(model.components.get(attribute.component))
      if (attribute.kind === 'zone') for (const uid of attribute.components) look(model.components.get(uid))
      if (attribute.kind !== 'relation') continue
      // A polymorphic relation leads anywhere.
      for (const uid of attribute.target === null ? model.types.keys() : [attribute.target]) found.add(uid)
    }
  }
  look(type)
  return found
}
