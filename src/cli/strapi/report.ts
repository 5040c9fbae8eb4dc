/** The result of an import from Strapi: what arrived, what was left out, and why. */
import { quantity } from '../archive/progress.ts'

/** Receives what an import leaves out. */
export interface Omissions {
  add(what: string, why: string, count?: number): void
}

/** For the second reading of an export, whose omissions are known from the first. */
export const IGNORED_OMISSIONS: Omissions = { add: () => {} }

interface TypeCounts {
  /** The number of rows in the export. */
  read: number
  imported: number
}

export class Report implements Omissions {
  readonly #types = new Map<string, TypeCounts>()
  readonly #omitted = new Map<string, { what: string; why: string; count: number }>()
  readonly #notes: string[] = []
  readonly relations = { read: 0, imported: 0, duplicates: 0 }
  readonly files = { read: 0, imported: 0 }
  permissions = 0
  /** The number of content-types whose view in the admin app was configured. */
  views = 0
  locales: readonly string[] = []

  /** `origin`: the version of Strapi and the time of the export. */
  readonly origin: { readonly strapi: string; readonly exportedAt: string | null }

  constructor(origin: Report['origin']) {
    this.origin = origin
  }

  add(what: string, why: string, count = 1): void {
    const key = `${what}|${why}`
    const known = this.#omitted.get(key)
    if (known) known.count += count
    else this.#omitted.set(key, { what, why, count })
  }

  note(text: string): void {
    this.#notes.push(text)
  }

  countsOf(type: string): TypeCounts {
    const known = this.#types.get(type)
    if (known) return known
    const counts = { read: 0, imported: 0 }
    this.#types.set(type, counts)
    return counts
  }

  toJson() {
    return {
      ...this.origin,
      types: Object.fromEntries([...this.#types].sort(([one], [other]) => (one < other ? -1 : 1))),
      relations: this.relations,
      files: this.files,
      permissions: this.permissions,
      views: this.views,
      locales: this.locales,
      leftOut: [...this.#omitted.values()],
      notes: this.#notes,
    }
  }

  toText(): string {
    const { types, relations, files, permissions, views, locales, leftOut, notes } = this.toJson()
    const width = Math.max(...Object.keys(types).map((uid) => uid.length), 'Relations'.length)
    const line = (name: string, read: number, imported: number) =>
      `  ${name.padEnd(width)}  ${String(imported).padStart(8)} of ${read}`
    return [
      `Export of Strapi ${this.origin.strapi}${this.origin.exportedAt === null ? '' : ` of ${this.origin.exportedAt}`}`,
      ...Object.entries(types).map(([uid, { read, imported }]) => line(uid, read, imported)),
      line('Relations', relations.read, relations.imported),
      line('Files', files.read, files.imported),
      `  Permissions: ${permissions}. Views of the admin app: ${views}. Locales: ${locales.join(', ') || 'none'}.`,
      ...(relations.duplicates > 0
        ? [
            `  ${quantity(relations.duplicates, 'link')} of Strapi led to a document that was related already.`,
          ]
        : []),
      ...notes.map((note) => `  ${note}`),
      ...(leftOut.length === 0 ? [] : ['Left out:']),
      ...leftOut.map(({ what, why, count }) => `  ${count} × ${what}: ${why}`),
    ].join('\n')
  }
}
