/** The If-Match header of a write. */
import { errors } from '../errors.ts'

/** Refuses a write whose If-Match has none of the accepted tags; `*` matches if the version exists. */
export function checkPrecondition(
  ifMatch: string | undefined,
  acceptedTags: readonly string[],
  exists = acceptedTags.length > 0,
) {
  if (ifMatch === undefined) return
  const tags = ifMatch.split(',').map((tag) => tag.trim().replace(/^W\//, '').replaceAll('"', ''))
  const matches = tags.some((tag) =>
    tag === '*' ? exists : acceptedTags.includes(tag.split('-', 1)[0] ?? ''),
  )
  if (!matches) throw errors.preconditionFailed()
}
