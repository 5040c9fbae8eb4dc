/** The actions that the audit log records, for the filter: see the guide of the audit log. */
import { auditTexts } from '../../texts/settings/audit.ts'

const ACTIONS = [
  ['document', ['create', 'update', 'publish', 'unpublish', 'discard', 'delete', 'schedule']],
  ['file', ['upload', 'update', 'delete']],
  ['release', ['create', 'update', 'schedule', 'cancel', 'publish', 'revert', 'delete']],
  ['session', ['create', 'fail', 'delete']],
  ['secondFactor', ['create', 'delete']],
  ['token', ['create', 'regenerate', 'delete']],
  ['role', ['permissions']],
  ['invitation', ['create', 'accept', 'delete']],
  ['locale', ['create', 'update', 'delete']],
  ['schema', ['update']],
  ['view', ['update']],
  ['navigation', ['update']],
  ['webhook', ['create', 'update', 'delete', 'rotate', 'test', 'retry']],
  ['job', ['retry', 'cancel']],
  ['audit', ['export']],
] as const

export const actionGroups = ACTIONS.map(([noun, verbs]) => ({
  group: auditTexts.groups[noun],
  items: verbs.map((verb) => `${noun}.${verb}`),
}))
