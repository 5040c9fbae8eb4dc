/** The list of commands. */
import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { addAdmin } from './admin.ts'
import { addDev } from './dev.ts'
import { addDoctor } from './doctor.ts'
import { addExport } from './export.ts'
import { addImport } from './import.ts'
import { addMedia } from './media.ts'
import { addMigrate } from './migrate.ts'
import { addNew } from './new.ts'
import { addOpenApi } from './openapi.ts'
import { addStart } from './start.ts'
import { addToken } from './token.ts'
import { addTypes } from './types.ts'

/** The command line as commander knows it, with every command and its help. */
export function createProgram(): Command {
  const version = ownVersion()
  const program = new Command('octavo')
    .description('A content server: describe content-types, get a REST API for them.')
    .version(version, '-v, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .showHelpAfterError('(add --help for what there is)')
  addNew(program, version)
  addDev(program)
  addStart(program)
  addMigrate(program)
  addToken(program)
  addAdmin(program)
  addMedia(program)
  addDoctor(program)
  addExport(program)
  addImport(program)
  addOpenApi(program)
  addTypes(program)
  return program
}

function ownVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  const { version }: { version: string } = JSON.parse(text)
  return version
}
