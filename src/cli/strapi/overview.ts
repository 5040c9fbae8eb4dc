/**
 * Reads an export once from beginning to end, before anything else: whether it is complete, how much it holds, and what
 * the import needs to know about all of it. Content is only counted here.
 */
import { ArchiveError, type Fields } from '../../documents/transfer/archive-line.ts'
import type { Progress } from '../archive/progress.ts'
import type { Part, ReadParts } from './archive/parts.ts'
import type { Scratch } from './scratch.ts'

export const FOLDER = 'plugin::upload.folder'
export const I18N_LOCALE = 'plugin::i18n.locale'
export const PERMISSION = 'plugin::users-permissions.permission'
const ROLE = 'plugin::users-permissions.role'

export interface Overview {
  readonly version: string
  readonly createdAt: string | null
  readonly schemas: ReadonlyMap<string, Fields>
  /** Number of rows by uid of their content-type. */
  readonly rows: ReadonlyMap<string, number>
  readonly links: number
  readonly files: number
  readonly locales: readonly string[]
  readonly defaultLocale: string | null
  /** Names of folders by their path, which consists of numbers such as `/1/4`. */
  readonly folders: ReadonlyMap<string, string>
  /** The actions of roles, by the numeric id of the role. */
  readonly permissions: ReadonlyMap<number, readonly string[]>
  /** The types of roles by their numeric id. */
  readonly roles: ReadonlyMap<number, string>
  readonly settings: ReadonlyMap<string, unknown>
  readonly webhooks: readonly Fields[]
}

const EVERYTHING: readonly Part['kind'][] = [
  ...(['metadata', 'schema', 'entity', 'link', 'setting', 'webhook', 'file', 'file size'] as const),
]

/** Reads everything; stages links and the names of files in `scratch`. Throws an ArchiveError if the export is incomplete. */
export async function readOverview(
  parts: ReadParts,
  scratch: Scratch,
  source: string,
  progress: Progress,
): Promise<Overview> {
  const found = new Collected(scratch)
  progress.part('Read', null)
  for await (const part of parts(EVERYTHING)) {
    await found.add(part)
    progress.step()
  }
  progress.end()
  const { metadata } = found
  if (!metadata)
    throw new ArchiveError(
      `${source} is not an export of Strapi, or it is incomplete: it has no metadata.json, which is written last`,
    )
  if (!/^5\./.test(metadata.version))
    throw new ArchiveError(
      `${source} was exported by Strapi ${metadata.version}. Only exports of Strapi 5 can be imported: upgrade the project to Strapi 5 and export it again.`,
    )
  return found.overview(metadata)
}

type Metadata = Extract<Part, { kind: 'metadata' }>

class Collected {
  metadata: Metadata | null = null
  readonly #scratch: Scratch
  readonly #schemas = new Map<string, Fields>()
  readonly #rows = new Map<string, number>()
  readonly #locales = new Set<string>()
  readonly #folders = new Map<string, string>()
  readonly #actions = new Map<number, string>()
  readonly #roleOfAction = new Map<number, number>()
  readonly #roles = new Map<number, string>()
  readonly #settings = new Map<string, unknown>()
  readonly #webhooks: Fields[] = []
  #links = 0
  #files = 0

  constructor(scratch: Scratch) {
    this.#scratch = scratch
  }

  async add(part: Part): Promise<void> {
    switch (part.kind) {
      case 'metadata':
        this.metadata = part
        return
      case 'schema':
        this.#schemas.set(part.uid, part.schema)
        return
      case 'entity':
        this.#rows.set(part.type, (this.#rows.get(part.type) ?? 0) + 1)
        this.#addEntity(part)
        return
      case 'link':
        if (part.left.type === PERMISSION) {
          if (part.left.field === 'role') this.#roleOfAction.set(part.left.ref, part.right.ref)
          return
        }
        this.#links++
        this.#scratch.addLink(part.left, part.right)
        return
      case 'setting':
        this.#settings.set(part.key, part.value)
        return
      case 'webhook':
        this.#webhooks.push(part.value)
        return
      case 'file': {
        let size = 0
        for await (const chunk of part.bytes) size += chunk.length
        this.#files++
        this.#scratch.addFile(part.name, size)
        return
      }
      case 'file size':
        if (part.size !== null) this.#scratch.addRecordedSize(part.name, part.size)
    }
  }

  #addEntity({ type, id, data }: Extract<Part, { kind: 'entity' }>): void {
    switch (type) {
      case I18N_LOCALE:
        this.#locales.add(data().string('code'))
        return
      case FOLDER: {
        const folder = data()
        this.#folders.set(folder.string('path'), folder.string('name'))
        return
      }
      case PERMISSION:
        this.#actions.set(id, data().string('action'))
        return
      case ROLE:
        this.#roles.set(id, data().stringOrNull('type') ?? '')
    }
  }

  overview({ version, createdAt }: Metadata): Overview {
    const permissions = new Map<number, string[]>()
    for (const [id, action] of this.#actions) {
      const role = this.#roleOfAction.get(id)
      if (role === undefined) continue
      const actions = permissions.get(role)
      if (actions) actions.push(action)
      else permissions.set(role, [action])
    }
    const defaultLocale = this.#settings.get('plugin_i18n_default_locale')
    return {
      version,
      createdAt,
      schemas: this.#schemas,
      rows: this.#rows,
      links: this.#links,
      files: this.#files,
      locales: [...this.#locales],
      defaultLocale: typeof defaultLocale === 'string' ? defaultLocale : null,
      folders: this.#folders,
      permissions,
      roles: this.#roles,
      settings: this.#settings,
      webhooks: this.#webhooks,
    }
  }
}

/** The number of components whose form was configured. */
export const componentViews = ({ settings }: Overview): number =>
  [...settings.keys()].filter((key) => key.startsWith('plugin_content_manager_configuration_components::'))
    .length
