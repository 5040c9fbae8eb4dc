/** How a version is named in an ETag, so that a write can name what it was made from. */

/** A draft and what is published of it are counted apart, and are not to be taken for each other. */
export const versionName = (revision: number, isDraft: boolean): string =>
  isDraft ? `d${revision}` : String(revision)
