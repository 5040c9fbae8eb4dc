/**
 * What a project's own code names and the model does not have: content-types and actions. A policy under a name that
 * nobody asks for would forbid nothing, without a word.
 */
import { LOCALE, normalizeAction } from '../../access/roles/permissions.ts'
import { type ContentType, FILE, type Model, ROLE, USER } from '../../model/model.ts'
import type { ProjectProblem } from '../../project/problems.ts'
import { didYouMean } from '../../project/suggest.ts'
import type { Extension } from './extension.ts'

const VERSIONS = ['publish', 'unpublish', 'discard']
const WRITES = ['create', 'update', 'delete']

/** The actions that requests ask for, and so policies are asked about. */
function requestedOf(type: ContentType): readonly string[] {
  switch (type.uid) {
    case FILE:
      return ['find', 'findOne', 'upload', 'update', 'destroy']
    case USER:
      return ['find', 'findOne', ...WRITES]
    case ROLE:
      return ['find']
    default:
      return [...(type.kind === 'single' ? ['find'] : ['find', 'findOne']), ...writesOf(type)]
  }
}

/** The actions that are done to documents, and so hooks around writes are told of. */
function writesOf({ uid, kind, draftAndPublish }: ContentType): readonly string[] {
  if (uid === ROLE) return ['create', 'delete']
  return [...(kind === 'single' ? ['update', 'delete'] : WRITES), ...(draftAndPublish ? VERSIONS : [])]
}

/** Every name in the extension that the model cannot follow, and every place that holds something else than a function. */
export const extensionProblems = (model: Model, extension: Extension): ProjectProblem[] => [
  ...policyMisfits(model, extension.policies ?? {}),
  ...hookMisfits(model, extension.hooks ?? {}),
  ...findMisfits(model, extension.find ?? {}),
]

function policyMisfits(model: Model, policies: Named): ProjectProblem[] {
  return Object.entries(policies).flatMap(([uid, actions]) => {
    const at = `policies.${uid}`
    const type = model.types.get(uid)
    if (!type && uid !== LOCALE) return [unknownType(model, at, uid, LOCALE)]
    const known = type ? requestedOf(type) : ['find']
    return membersOf(at, actions, (name, listed) => {
      if (!known.some((action) => normalizeAction(action) === normalizeAction(name)))
        return [unknownAction(at, name, known)]
      const isRight = [listed].flat().every((policy) => typeof policy === 'function')
      return isRight ? [] : [problem(`${at}.${name}`, 'must be a function, or a list of them')]
    })
  })
}

function hookMisfits(model: Model, hooks: Named): ProjectProblem[] {
  return Object.entries(hooks).flatMap(([uid, moments]) => {
    const at = `hooks.${uid}`
    const type = model.types.get(uid)
    if (!type && uid !== '*') return [unknownType(model, at, uid, '*')]
    if (uid === FILE)
      return [problem(at, 'files are written without hooks; a policy on upload, update or destroy is asked')]
    const known = type ? writesOf(type) : [...WRITES, ...VERSIONS]
    return momentsOf(at, moments, (moment, actions) =>
      membersOf(`${at}.${moment}`, actions, (name, hook) =>
        known.includes(name)
          ? mustBeFunction(`${at}.${moment}.${name}`, hook)
          : [unknownAction(`${at}.${moment}`, name, known)],
      ),
    )
  })
}

function findMisfits(model: Model, find: Named): ProjectProblem[] {
  return Object.entries(find).flatMap(([uid, moments]) => {
    const at = `find.${uid}`
    if (!model.types.has(uid)) return [unknownType(model, at, uid)]
    if (uid === ROLE) return [problem(at, 'roles are listed without hooks; a policy on find is asked')]
    return momentsOf(at, moments, (moment, hook) => mustBeFunction(`${at}.${moment}`, hook))
  })
}

type Named = Readonly<Record<string, unknown>>

const problem = (path: string, message: string): ProjectProblem => ({
  file: 'configuration',
  path: `extend.${path}`,
  message,
})

const unknownType = (model: Model, at: string, uid: string, ...more: readonly string[]) =>
  problem(at, `there is no content-type ${uid}${didYouMean(uid, [...model.types.keys(), ...more])}`)

const unknownAction = (at: string, name: string, known: readonly string[]): ProjectProblem =>
  problem(
    `${at}.${name}`,
    `there is no action ${name}${didYouMean(name, known) || `; there are ${known.join(', ')}`}`,
  )

const mustBeFunction = (at: string, value: unknown): ProjectProblem[] =>
  value === undefined || typeof value === 'function' ? [] : [problem(at, 'must be a function')]

/** What is wrong with the members of an object, or with what should be one. */
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

const MOMENTS = ['before', 'after']

const momentsOf: typeof membersOf = (at, value, each) =>
  membersOf(at, value, (name, member) =>
    MOMENTS.includes(name)
      ? each(name, member)
      : [problem(`${at}.${name}`, `takes ${MOMENTS.join(' and ')}${didYouMean(name, MOMENTS)}`)],
  )
