/**
 * Paths of values in a form: attribute names, and between them the keys of the entries they are in, such as
 * `menu/menu.section:4/title`. An entry keeps its key when it is moved.
 */
export type FormPath = string

export const ROOT: FormPath = ''

export const join = (parent: FormPath, name: string): FormPath =>
  parent === ROOT ? name : `${parent}/${name}`

/** Whether a path is below another one. */
export const isBelow = (path: FormPath, parent: FormPath) => parent === ROOT || path.startsWith(`${parent}/`)

/** The attribute of the document that a path is in. */
export const topLevelName = (path: FormPath) => path.split('/', 1)[0] ?? path

/** The last name in a path. */
export const lastName = (path: FormPath) => path.slice(path.lastIndexOf('/') + 1)
