/** `octavo doctor`: looks at a project from all sides, changes nothing, and says what to do. */
import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { readStoredPermissions } from '../../access/roles/stored-permissions.ts'
import type { Project } from '../../model/load-project.ts'
import { formatProblem, ProjectError } from '../../project/problems.ts'
import {
  checkMisfits,
  checkRegistration,
  checkRoles,
  checkSecret,
  checkTokens,
  rolesOf,
} from '../doctor/access.ts'
import { checkDatabase, openForChecks } from '../doctor/database.ts'
import { checkMail, checkNode, checkStorage } from '../doctor/environment.ts'
import { checkExtension } from '../doctor/extension.ts'
import { bad, type Finding, good, told } from '../doctor/finding.ts'
import { databaseOption, type ProjectOptions, projectOption } from '../options.ts'
import { NotAProjectError, projectOf } from '../project.ts'

interface DoctorOptions extends ProjectOptions {
  readonly production?: boolean
}

/** Adds the command. */
export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .description('check configuration, schema, database, files, permissions and mail, and explain')
    .option('--production', 'check as for production (as NODE_ENV=production does)')
    .addOption(projectOption())
    .addOption(databaseOption())
    .addHelpText('after', '\nThe exit code is 1 when something is in the way of the server (✗), else 0.')
    .action(doctor)
}

async function doctor(options: DoctorOptions): Promise<void> {
  const findings = await examine(options)
  for (const finding of findings) console.log(told(finding))
  const problems = findings.filter(({ level }) => level === 'bad').length
  const notices = findings.filter(({ level }) => level === 'notice').length
  console.log(`\n${summary(problems, notices)}`)
  if (problems > 0) process.exitCode = 1
}

async function examine(options: DoctorOptions): Promise<Finding[]> {
  const production = options.production ?? process.env.NODE_ENV === 'production'
  const findings = [checkNode()]
  const project = await opened(options)
  if (Array.isArray(project)) return [...findings, ...project]
  const { config, model, dir } = project
  const types = [...model.types.values()].filter(({ generated }) => generated).length
  findings.push(
    good(
      `Project: ${dir}, ${count(types, 'content-type', 'content-types')}, ${count(model.components.size, 'component', 'components')}`,
    ),
    ...checkExtension(project),
  )
  const store = await openForChecks(project)
  const isOpen = store !== null && 'read' in store
  try {
    findings.push(...(store === null || isOpen ? await checkDatabase(store, project) : [store]))
    findings.push(await checkStorage(config, dir))
    const granted = await readStoredPermissions(isOpen ? store : null)
    findings.push(...checkRoles(project, rolesOf(project, granted)), ...checkMisfits(project, granted))
    findings.push(...(await checkRegistration(isOpen ? store : null, project)))
  } finally {
    if (isOpen) await store.close()
  }
  findings.push(...checkTokens(config, production, process.env), checkSecret(config, production))
  return [...findings, ...(await checkMail(config, production))]
}

/** The project, or what is wrong with its files. */
async function opened(options: DoctorOptions): Promise<Project | Finding[]> {
  try {
    return await projectOf(options)
  } catch (failure) {
    if (failure instanceof NotAProjectError) return [bad(failure.reason, failure.remedy)]
    if (!(failure instanceof ProjectError)) throw failure
    return failure.problems.map((problem) =>
      bad(
        formatProblem(problem),
        existsSync(options.project) ? 'correct it there' : 'name the folder of a project with --project',
      ),
    )
  }
}

const count = (number: number, one: string, many: string) => `${number} ${number === 1 ? one : many}`

function summary(problems: number, notices: number): string {
  if (problems > 0)
    return `${count(problems, 'thing is', 'things are')} in the way, ${count(notices, 'is', 'are')} worth a look.`
  return notices > 0
    ? `Ready to start; ${count(notices, 'thing is', 'things are')} worth a look.`
    : 'All is well.'
}
