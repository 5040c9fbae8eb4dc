/**
 * Changes the locales of a running server: writes them to the project folder, and uses them for all requests from then
 * on. Content in a locale that is removed stays in the database, where reads that name the locale find it; it cannot be
 * changed until the locale is added again.
 */
import { errors, messageOf } from '../errors.ts'
import type { Config } from '../project/config/config.ts'
import { checkCombinations, configSetting } from '../project/config/settings.ts'
import { LOCALES_FILE, writeLocales } from '../project/write-locales.ts'
import { readFrom } from '../store/migration/run-sql.ts'
import { sql } from '../store/sql.ts'
import type { Store } from '../store/store.ts'
import type { LiveModel } from './live-model.ts'
import type { SchemaChanges } from './schema-changes.ts'

type LocalesConfig = Config['locales']

/** Derives the next locales from the current ones. */
export type LocalesEdit = (locales: LocalesConfig) => LocalesConfig

export interface LocaleChanges {
  /** Why the locales cannot be changed over HTTP; null if they can. */
  readonly lockReason: string | null
  /** The number of documents that have content in a locale, by content-type, without those that have none. */
  documentsIn(code: string): Promise<readonly LocaleContent[]>
  /** Writes the locales to the project folder, and uses them from now on. */
  apply(edit: LocalesEdit): Promise<void>
}

export interface LocaleContent {
  readonly uid: string
  readonly documents: number
}

export interface LocaleChangeOptions {
  readonly store: Store
  readonly live: LiveModel
  readonly schemaChanges: Pick<SchemaChanges, 'exclusively'>
  readonly lockReason: string | null
}

export function createLocaleChanges(options: LocaleChangeOptions): LocaleChanges {
  const { store, live, schemaChanges, lockReason } = options
  return {
    lockReason,
    async documentsIn(code) {
      const localized = [...live.current().layout.model.types.values()].filter((type) => type.localized)
      if (localized.length === 0) return []
      const counts = localized.map(
        ({ uid, table }) =>
          sql`SELECT ${sql.lit(uid)} AS uid, count(DISTINCT document_id) AS documents FROM ${sql.table(table)} WHERE locale = ${code}`,
      )
      const rows = await readFrom(store)(sql.join(counts, ' UNION ALL '))
      return rows
        .map(({ uid, documents }) => ({ uid: String(uid), documents: Number(documents) }))
        .filter(({ documents }) => documents > 0)
    },
    apply: (edit) =>
      schemaChanges.exclusively(async () => {
        if (lockReason !== null) throw errors.localesLocked(lockReason)
        const { dir, config } = live.current().project
        const locales = edit(config.locales)
        refuseInvalid({ ...config, locales })
        await writeLocales(dir, locales).catch((error: unknown) => {
          throw errors.application(`${LOCALES_FILE} cannot be written: ${messageOf(error)}`)
        })
        live.useLocales(locales)
      }),
  }
}

function refuseInvalid(config: Config): void {
  const problems: { readonly path: readonly string[]; readonly message: string }[] = []
  const report = (path: string, message: string) =>
    problems.push({ path: path.split('.').slice(1), message: `${path} ${message}` })
  configSetting.check({ locales: config.locales }, '', report)
  if (problems.length === 0) checkCombinations(config, report)
  if (problems.length > 0) throw errors.invalidValues(problems)
}
