/**
 * Checks that the content-types and actions named by a project's code exist. A policy under an unknown name would
 * silently refuse nothing.
 */
import { LOCALE, normalizeAction } from '../../access/roles/permissions.ts'
import { type ContentType, FILE, type Model, ROLE, USER } from '../../model/model.ts'
import type { ProjectProblem } from '../../project/problems.ts'
import { didYouMean } from '../../project/suggest.ts'
import type { HooksAndPolicies } from './hooks-and-policies.ts'

const VERSIONS = ['publish', 'unpublish', 'discard']
const WRITES = ['create', 'update', 'delete']

/** The actions that policies can decide about. */
function requestActions(type: ContentType): readonly string[] {
  switch (type.uid) {
    case FILE:
      return ['find', 'findOne', 'upload', 'update', 'destroy']
    case USER:
      return ['find', 'findOne', ...WRITES]
    case ROLE:
      return ['find', 'findOne', ...WRITES, 'getPermissions']
    default:
      return [
        ...(type.kind === 'single' ? ['find'] : ['find', 'findOne']),
        ...(type.history ? ['readHistory'] : []),
        ...writeActions(type),
      ]
  }
}

/** The actions that have hooks. */
function writeActions({ uid, kind, draftAndPublish }: ContentType): readonly string[] {
  if (uid === ROLE) return WRITES
  return [...(kind === 'single' ? ['update', 'delete'] : WRITES), ...(draftAndPublish ? VERSIONS : [])]
}

/** All unknown names in an extension, and all values that should be functions. */
export const extensionProblems = (model: Model, extension: HooksAndPolicies): ProjectProblem[] => [
  ...policyProblems(model, extension.policies ?? {}),
  ...hookProblems(model, extension.hooks ?? {}),
  ...findProblems(model, extension.find ?? {}),
]

function policyProblems(model: Model, policies: Named): ProjectProblem[] {
  return Object.entries(policies).flatMap(([uid, actions]) => {
    const at = `policies.${uid}`
    const type = model.types.get(uid)
    if (!type && uid !== LOCALE) return [unknownType(model, at, uid, LOCALE)]
    const known = type ? requestActions(type) : ['find']
    return membersOf(at, actions, (name, listed) => {
      if (!known.some((action) => normalizeAction(action) === normalizeAction(name)))
        return [unknownAction(at, name, known)]
      const isRight = [listed].flat().every((policy) => typeof policy === 'function')
      return isRight ? [] : [problem(`${at}.${name}`, 'must be a function or a list of functions')]
    })
  })
}

function hookProblems(model: Model, hooks: Named): ProjectProblem[] {
  return Object.entries(hooks).flatMap(([uid, phases]) => {
    const at = `hooks.${uid}`
    const type = model.types.get(uid)
    if (!type && uid !== '*') return [unknownType(model, at, uid, '*')]
    if (uid === FILE) return [problem(at, 'files have no hooks; use a policy on upload, update or destroy')]
    const known = type ? writeActions(type) : [...WRITES, ...VERSIONS]
    return phasesOf(at, phases, (phase, actions) =>
      membersOf(`${at}.${phase}`, actions, (name, hook) =>
        known.includes(name)
          ? mustBeFunction(`${at}.${phase}.${name}`, hook)
          : [unknownAction(`${at}.${phase}`, name, known)],
      ),
    )
  })
}

function findProblems(model: Model, find: Named): ProjectProblem[] {
  return Object.entries(find).flatMap(([uid, phases]) => {
    const at = `find.${uid}`
    if (!model.types.has(uid)) return [unknownType(model, at, uid)]
    if (uid === ROLE) return [problem(at, 'roles have no hooks; use a policy on find')]
    return phasesOf(at, phases, (phase, hook) => mustBeFunction(`${at}.${phase}`, hook))
  })
}

type Named = Readonly<Record<string, unknown>>

const problem = (path: string, message: string): ProjectProblem => ({
  file: 'configuration',
  path: `extend.${path}`,
  message,
})

const unknownType = (model: Model, at: string, uid: string, ...more: readonly string[]) =>
  problem(at, `unknown content-type ${uid}${didYouMean(uid, [...model.types.keys(), ...more])}`)

const unknownAction = (at: string, name: string, known: readonly string[]): ProjectProblem =>
  problem(
    `${at}.${name}`,
    `unknown action ${name}${didYouMean(name, known) || `; use one of ${known.join(', ')}`}`,
  )

const mustBeFunction = (at: string, value: unknown): ProjectProblem[] =>
  value === undefined || typeof value === 'function' ? [] : [problem(at, 'must be a function')]

/** The problems of the members of a value that must be an object. */
function membersOf(
  at: string,
  value: unknown,
  each: (name: string, member: unknown) => ProjectProblem[],
): ProjectProblem[] {
  if (value === undefined) return []
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return [problem(at, 'must be an object')]
  return Object.entries(value).flatMap(([name, member]) => each(name, member))
}

const PHASES = ['before', 'after']

const phasesOf: typeof membersOf = (at, value, each) =>
  membersOf(at, value, (name, member) =>
    PHASES.includes(name)
      ? each(name, member)
      : [problem(`${at}.${name}`, `unknown key, expected ${PHASES.join(' or ')}${didYouMean(name, PHASES)}`)],
  )
