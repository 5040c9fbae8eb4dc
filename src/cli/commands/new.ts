/** `octavo new`: writes a project that starts at once. */
import { existsSync } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Command } from 'commander'
import { messageOf } from '../../errors.ts'
import { UsageError } from '../error-message.ts'
import { projectFiles, type Wishes } from '../new/files.ts'
import { createQuestions } from '../new/questions.ts'

interface NewOptions {
  readonly name?: string
  readonly empty?: boolean
  readonly locales?: string
  readonly yes?: boolean
}

/** Adds the command; `version` is that of Octavo itself, on which the project will depend. */
export function addNew(program: Command, version: string): void {
  program
    .command('new [folder]')
    .description('make a new project')
    .option('--name <name>', 'what it is called; the name of the folder when absent')
    .option('--empty', 'without an example content-type')
    .option('--locales <codes>', 'languages of the content, the default first, such as en,fr')
    .option('--yes', 'take the usual answers instead of asking')
    .addHelpText('after', '\n  $ octavo new my-site --yes')
    .action((folder: string | undefined, options: NewOptions) => makeProject(folder, options, version))
}

async function makeProject(given: string | undefined, options: NewOptions, version: string): Promise<void> {
  const { folder, wishes } = await decide(given, options)
  await refuseFull(folder)
  await writeFiles(folder, projectFiles(wishes, { version, isPackage: IS_PACKAGE })).catch(
    (failure: unknown) => {
      throw new UsageError(`Cannot make ${folder}: ${messageOf(failure)}`)
    },
  )
  console.log(`Made ${wishes.name} in ${folder}. Start it with:\n`)
  console.log(`  ${startOf(path.relative('.', folder))}`)
}

async function writeFiles(folder: string, files: ReturnType<typeof projectFiles>): Promise<void> {
  for (const [file, text] of files) {
    const target = path.join(folder, file)
    await mkdir(path.dirname(target), { recursive: true })
    // A token is for the one who made it.
    await writeFile(target, text, { flag: 'wx', mode: file === 'config/tokens.json' ? 0o600 : 0o644 })
  }
}

/** Sources run in a checkout only. */
const IS_PACKAGE = !import.meta.filename.endsWith('.ts')

const CHECKOUT = path.resolve(import.meta.dirname, '../../..')

/** The line that starts a project from here. In a checkout of Octavo there is nothing to install: it serves the project itself. */
function startOf(place: string): string {
  const quoted = /^[\w./-]*$/.test(place) ? place : `'${place.replaceAll("'", `'\\''`)}'`
  if (IS_PACKAGE) return `${place === '' ? '' : `cd ${quoted} && `}npm install && npm run dev`
  const command = process.cwd() === CHECKOUT ? 'npm run octavo --' : `node ${CHECKOUT}/bin/octavo.js`
  return `${command} dev${place === '' ? '' : ` --project ${quoted}`}`
}

const USUAL_FOLDER = 'my-content'

async function decide(given: string | undefined, options: NewOptions) {
  const questions = options.yes ? null : createQuestions()
  const ask = async (wanted: string | undefined, question: string, usual: string, check: Check) => {
    const answer = wanted ?? (questions ? null : usual)
    if (answer === null) return questions?.ask(question, usual, check) ?? usual
    const problem = check(answer)
    if (problem !== null) throw new UsageError(problem)
    return answer
  }
  try {
    const folder = path.resolve(await ask(given, 'Which folder?', USUAL_FOLDER, () => null))
    await refuseFull(folder)
    const name = await ask(options.name, 'What is it called?', path.basename(folder), nameProblem)
    const example = await ask(
      options.empty ? 'no' : undefined,
      'With an example content-type, articles?',
      'yes',
      (answer) => (/^(yes|y|no|n)$/i.test(answer) ? null : 'Please answer yes or no.'),
    )
    const locales = await ask(options.locales, 'Which languages, the default first?', 'en', localesProblem)
    const wishes: Wishes = { name, example: /^y/i.test(example), locales: localesIn(locales) }
    return { folder, wishes }
  } finally {
    questions?.close()
  }
}

type Check = (answer: string) => string | null

const nameProblem = (name: string) =>
  /^[^\p{Cc}`]{1,100}$/u.test(name) ? null : 'A name has 1 to 100 characters, none of them ` or invisible.'

const localesIn = (text: string) => [...new Set(text.split(/[\s,]+/).filter((code) => code !== ''))]

function localesProblem(text: string): string | null {
  const codes = localesIn(text)
  const wrong = codes.find((code) => !/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(code))
  if (wrong) return `"${wrong}" is no code of a language; write codes such as en, fr or pt-BR.`
  return codes.length > 0 ? null : 'At least one language is needed, such as en.'
}

/** Files of somebody else are never mixed with ours; a fresh repository is empty enough. */
async function refuseFull(folder: string): Promise<void> {
  if (!existsSync(folder)) return
  const files = await readdir(folder).catch(() => null)
  if (files === null) throw new UsageError(`${folder} is not a folder`)
  const [other] = files.filter((name) => name !== '.git')
  if (other !== undefined)
    throw new UsageError(`The folder ${folder} is not empty (it has ${other}); choose another`)
}
