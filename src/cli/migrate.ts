/** `octavo migrate`: brings the database of a project in line with its schema, and says what that took. */
import type { Command } from 'commander'
import { loadProject } from '../model/load.ts'
import { migrate } from '../store/migrate.ts'
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
    const changes: string[] = []
    await migrate(store, model, (change) => changes.push(change))
    console.log(changes.length > 0 ? changes.join('\n') : 'The database is up to date.')
  } finally {
    await store.close()
  }
}
