/** How a version is named in an ETag, so that a write can name what it was made from. */

/** Names the row too: rows count their revisions from one, and a document can lose a version and get a new one. */
export const versionName = (id: number, revision: number): string => `${id}.${revision}`
