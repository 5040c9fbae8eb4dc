/** `octavo migrate`: brings the database of a project in line with its schema, and says what that took. */
import type { Command } from 'commander'
import { loadProject } from '../model/load.ts'
import { migrateTo } from '../store/migrate.ts'
import { openStore } from '../store/open.ts'
import { databaseOption, type ProjectOptions, projectOption, settingsOf } from './options.ts'

/** Adds the command. */
export function addMigrate(program: Command) {
  program
    .command('migrate')
    .description('bring the database in line with the schema files')
    .addOption(projectOption())
    .addOption(databaseOption())
    .action(migrateProject)
}

async function migrateProject(options: ProjectOptions) {
  const { config, model, dir } = await loadProject(options.project, process.env, settingsOf(options))
  const store = await openStore(config.database.url, { directory: dir })
  try {
    const { plan } = await migrateTo(store, model)
    console.log(plan.length > 0 ? plan.map(({ words }) => words).join('\n') : 'The database is up to date.')
  } finally {
    await store.close()
  }
}
