/**
 * Files that a body names, for callers who may not find files. They name a file by its documentId, which cannot be guessed.
 * An id can: without a check, whoever may write a document with a media attribute could read the record of every file.
 */
import { FILE, typeOf } from '../../model/model.ts'
import { authorOf } from '../author.ts'
import { canRead } from '../row-rules.ts'
import { loadVersions, withEdges } from '../rows/load-versions.ts'
import type { WriteContext } from '../write-context.ts'
import type { Target, Targets } from './targets.ts'

type NamingWrite = Pick<WriteContext, 'transaction' | 'request' | 'blueprint' | 'documentId'>

/**
 * The targets, of which these files are found by documentId only: those that the caller may not read and has not uploaded,
 * and that the document does not use yet.
 */
export async function withoutGuessedFiles(write: NamingWrite, targets: Targets): Promise<Targets> {
  const { scope } = write.request
  if (scope.may(FILE, 'find')) return targets
  const unknown = await filesUnknownTo(write, targets.all)
  if (unknown.size === 0) return targets
  return {
    all: targets.all,
    find(reference, changes) {
      const target = targets.find(reference, changes)
      return target && 'id' in reference.name && unknown.has(target) ? null : target
    },
  }
}

async function filesUnknownTo(write: NamingWrite, targets: readonly Target[]): Promise<Set<Target>> {
  const { request, blueprint } = write
  const author = authorOf(request.scope.principal)
  const unknown = new Set<Target>()
  for (const target of targets) {
    if (target.type !== FILE || (author !== null && target.createdBy === author)) continue
    const { documentId, rows } = target
    if (await canRead(write, typeOf(blueprint.model, FILE), documentId, rows, ['findOne'])) continue
    unknown.add(target)
  }
  if (unknown.size === 0) return unknown
  const used = await targetsOfDocument(write)
  return new Set([...unknown].filter(({ documentId }) => !used.has(documentId)))
}

/** What the versions of the document and their component entries refer to; nothing for a new document. */
async function targetsOfDocument({ transaction, blueprint, documentId }: NamingWrite): Promise<Set<string>> {
  const loading = loadVersions(transaction, blueprint, documentId)
  const versions = await withEdges(transaction, blueprint, documentId, loading)
  const edges = versions.flatMap((version) => [...version.edges.values()])
  return new Set(edges.flatMap((relations) => [...relations.values()].flat().map(({ target }) => target)))
}
