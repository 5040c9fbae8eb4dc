/** The texts of background jobs. */
import { screenTexts } from '../screens.ts'

const KINDS: Readonly<Record<string, string>> = {
  'webhooks.deliver': 'Deliver to a webhook',
  schedules: 'Publish or unpublish a document',
  releases: 'Publish a release',
  'notices.mail': 'Send a notice by e-mail',
  'files.delete': 'Delete the stored contents of files',
  'events.retention': 'Delete old events',
  'history.retention': 'Delete old history',
  'history.existing': 'Save a first state of existing content',
  'audit.maintenance': 'Chain and delete records of the audit log',
  'webhooks.retention': 'Delete old deliveries',
  'webhooks.backlog': 'Turn off webhooks that fall behind',
  'notices.retention': 'Delete old notices',
  'releases.retention': 'Delete old releases',
}

export const jobTexts = {
  title: screenTexts.jobs,
  text: 'What the server does in the background. Jobs that fail are tried again; those given up stay here.',
  state: 'State',
  states: {
    all: 'All',
    waiting: 'Waiting',
    running: 'Running',
    retrying: 'Trying again',
    failed: 'Failed',
  },
  withCount: (label: string, count: number) => (count === 0 ? label : `${label} ${count}`),
  columns: { kind: 'Job', state: 'State', due: 'Due', attempts: 'Attempts' },
  kind: (kind: string) => KINDS[kind] ?? kind,
  empty: 'No jobs',
  emptyHint: 'Nothing is waiting, and nothing has failed.',
  retry: 'Run now',
  retried: 'The job runs now',
  delete: 'Delete',
  deleteTitle: 'Delete this job?',
  deleteText: 'What it was meant to do will not be done.',
  deleted: 'The job is deleted',
  actionsOf: (kind: string, id: number) => `Actions for ${kind} (${id})`,
}
