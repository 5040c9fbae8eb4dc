/** `octavo new`: creates a project that is ready to start. */

import { existsSync } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Command } from 'commander'
import { messageOf } from '../../errors.ts'
import { IS_PACKAGE, ownProgram, quoted } from '../../project/own-command.ts'
import { UsageError } from '../error-message.ts'
import { createDevelopmentToken, type NewProject, projectFiles } from '../new/files.ts'
import { createPrompt } from '../new/prompt.ts'
import { startProject } from '../new/start-project.ts'

interface NewOptions {
  readonly name?: string
  readonly empty?: boolean
  readonly locales?: string
  readonly yes?: boolean
  readonly start?: boolean
}

/** Adds the command. The new project depends on this `version` of Octavo. */
export function addNew(program: Command, version: string): void {
  program
    .command('new [folder]')
    .description('create a new project')
    .option('--name <name>', 'name of the project; default: the name of the folder')
    .option('--empty', 'leave out the example content-type')
    .option('--locales <codes>', 'locales, the default one first, such as en,fr')
    .option('--yes', 'use the defaults instead of asking')
    .option('--start', 'install the project and start it')
    .addHelpText('after', '\n  $ octavo new my-site --yes')
    .action((folder: string | undefined, options: NewOptions) => createProject(folder, options, version))
}

async function createProject(given: string | undefined, options: NewOptions, version: string): Promise<void> {
  const { folder, project } = await askForProject(given, options)
  await rejectFilledFolder(folder)
  const token = createDevelopmentToken()
  const files = projectFiles(project, token, { version, isPackage: IS_PACKAGE })
  await writeFiles(folder, files).catch((failure: unknown) => {
    throw new UsageError(`Cannot create ${folder}: ${messageOf(failure)}`)
  })
  console.log(`Created ${project.name} in ${folder}\n`)
  console.log(`Development token (full access; in config/tokens.json): ${token}`)
  console.log('The first start prints a link to create your account for the admin app.\n')
  if (options.start) return startProject(folder, IS_PACKAGE)
  console.log('To start it, run:\n')
  console.log(`  ${startCommand(path.relative('.', folder))}`)
}

async function writeFiles(folder: string, files: ReturnType<typeof projectFiles>): Promise<void> {
  for (const [file, text] of files) {
    const target = path.join(folder, file)
    await mkdir(path.dirname(target), { recursive: true })
    await writeFile(target, text, { flag: 'wx', mode: SECRET_FILES.includes(file) ? 0o600 : 0o644 })
  }
}

/** Only the user who created the project can read these. */
const SECRET_FILES = ['config/tokens.json', '.env']

/** The command that starts the project from the working directory. A checkout of Octavo serves it without installing. */
function startCommand(folder: string): string {
  if (IS_PACKAGE) return `${folder === '' ? '' : `cd ${quoted(folder)} && `}npm install && npm run dev`
  return `${ownProgram()} dev${folder === '' ? '' : ` --project ${quoted(folder)}`}`
}

const DEFAULT_FOLDER = 'my-content'

async function askForProject(given: string | undefined, options: NewOptions) {
  const prompt = options.yes ? null : createPrompt()
  const ask = async (option: string | undefined, question: string, byDefault: string, check: Check) => {
    const answer = option ?? (prompt ? null : byDefault)
    if (answer === null) return prompt?.ask(question, byDefault, check) ?? byDefault
    const problem = check(answer)
    if (problem !== null) throw new UsageError(problem)
    return answer
  }
  try {
    const folder = path.resolve(await ask(given, 'Folder?', DEFAULT_FOLDER, () => null))
    await rejectFilledFolder(folder)
    const name = await ask(options.name, 'Project name?', path.basename(folder), nameProblem)
    const example = await ask(
      options.empty ? 'no' : undefined,
      'Add an example content-type (articles)?',
      'yes',
      (answer) => (/^(yes|y|no|n)$/i.test(answer) ? null : 'Enter yes or no.'),
    )
    const locales = await ask(options.locales, 'Locales, the default one first?', 'en', localesProblem)
    const project: NewProject = { name, hasExample: /^y/i.test(example), locales: parseLocales(locales) }
    return { folder, project }
  } finally {
    prompt?.close()
  }
}

type Check = (answer: string) => string | null

const nameProblem = (name: string) =>
  /^[^\p{Cc}`]{1,100}$/u.test(name)
    ? null
    : 'The name must have 1 to 100 characters, without ` or control characters.'

const parseLocales = (list: string) => [...new Set(list.split(/[\s,]+/).filter((code) => code !== ''))]

function localesProblem(list: string): string | null {
  const codes = parseLocales(list)
  const wrong = codes.find((code) => !/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(code))
  if (wrong) return `"${wrong}" is not a locale code; use codes such as en, fr or pt-BR.`
  return codes.length > 0 ? null : 'Enter at least one locale, such as en.'
}

/** Rejects a folder with files in it; a new Git repository is accepted. */
async function rejectFilledFolder(folder: string): Promise<void> {
  if (!existsSync(folder)) return
  const files = await readdir(folder).catch(() => null)
  if (files === null) throw new UsageError(`${folder} is not a folder`)
  const [other] = files.filter((name) => name !== '.git')
  if (other !== undefined)
    throw new UsageError(`${folder} is not empty (it contains ${other}); choose another folder`)
}
