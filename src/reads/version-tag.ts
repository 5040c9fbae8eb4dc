/** Identifies a version of a document in an ETag. The row id is part of it: a new row starts again at revision one. */
export const versionTag = (id: number, revision: number): string => `${id}.${revision}`
