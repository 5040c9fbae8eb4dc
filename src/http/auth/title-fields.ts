/** Which field shows the title of a document to a caller. */
import type { Scope } from '../../query/scope.ts'

/** The main field of a content-type, in a list; an empty list if the caller may not read it, since asking for it would fail. */
export const titleFields = (scope: Scope, uid: string, mainField: string): readonly string[] =>
  (scope.rule(uid, 'find')?.fields?.includes(mainField) ?? true) ? [mainField] : []
