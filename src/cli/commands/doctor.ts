/** `octavo doctor`: checks a project without changing it, and says what to do about each problem. */
import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { readStoredPermissions } from '../../access/roles/stored-permissions.ts'
import type { Project } from '../../model/load-project.ts'
import { formatProblem, ProjectError } from '../../project/problems.ts'
import {
  checkPermissions,
  checkRegistration,
  checkRoleAccess,
  checkSecret,
  checkTokens,
  rolesOf,
} from '../doctor/access.ts'
import { checkDatabase, openForChecks } from '../doctor/database.ts'
import { checkMail, checkNode, checkStorage } from '../doctor/environment.ts'
import { checkExtension } from '../doctor/extension.ts'
import { error, type Finding, formatFinding, ok } from '../doctor/finding.ts'
import { databaseOption, type ProjectOptions, projectOption } from '../options.ts'
import { NotAProjectError, projectOf } from '../project.ts'
import { checkStrapiFolder } from '../strapi/describe-folder.ts'

interface DoctorOptions extends ProjectOptions {
  readonly production?: boolean
}

/** Adds the command. */
export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .description('check configuration, schema, database, files, permissions and mail')
    .option('--production', 'check as in production (like NODE_ENV=production)')
    .addOption(projectOption())
    .addOption(databaseOption())
    .addHelpText('after', '\nThe exit code is 1 if there are errors (✗), else 0.')
    .action(doctor)
}

async function doctor(options: DoctorOptions): Promise<void> {
  const findings = await runChecks(options)
  for (const finding of findings) console.log(formatFinding(finding))
  const errors = findings.filter(({ level }) => level === 'error').length
  const warnings = findings.filter(({ level }) => level === 'warning').length
  console.log(`\n${count(errors, 'error')}, ${count(warnings, 'warning')}`)
  if (errors > 0) process.exitCode = 1
}

async function runChecks(options: DoctorOptions): Promise<Finding[]> {
  const production = options.production ?? process.env.NODE_ENV === 'production'
  const findings = [checkNode()]
  const project = await loadedProject(options)
  if (Array.isArray(project)) return [...findings, ...project]
  const { config, model, dir } = project
  const types = [...model.types.values()].filter(({ generated }) => generated).length
  findings.push(
    ok(`Project: ${dir}, ${count(types, 'content-type')}, ${count(model.components.size, 'component')}`),
    ...checkStrapiFolder(project.strapi),
    ...checkExtension(project),
  )
  const store = await openForChecks(project)
  const isOpen = store !== null && 'read' in store
  try {
    findings.push(...(store === null || isOpen ? await checkDatabase(store, project) : [store]))
    findings.push(await checkStorage(config, dir))
    const stored = await readStoredPermissions(isOpen ? store : null)
    findings.push(...checkRoleAccess(project, rolesOf(project, stored)), ...checkPermissions(project, stored))
    findings.push(...(await checkRegistration(isOpen ? store : null, project)))
  } finally {
    if (isOpen) await store.close()
  }
  findings.push(...checkTokens(config, production, process.env), checkSecret(config, production))
  return [...findings, ...(await checkMail(config, production))]
}

async function loadedProject(options: DoctorOptions): Promise<Project | Finding[]> {
  try {
    return await projectOf(options)
  } catch (failure) {
    if (failure instanceof NotAProjectError) return [error(failure.reason, failure.remedy)]
    if (!(failure instanceof ProjectError)) throw failure
    return failure.problems.map((problem) =>
      error(
        formatProblem(problem),
        existsSync(options.project) ? 'correct it' : 'pass the folder of a project with --project',
      ),
    )
  }
}

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`
