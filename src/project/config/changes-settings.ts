/** The settings of what follows a change. */
import { hosts } from './addresses.ts'
import type { ChangesConfig, WebhookConfig } from './changes-config.ts'
import { days, seconds } from './durations.ts'
import {
  anyObject,
  boolean,
  integerBetween,
  positiveInteger,
  record,
  required,
  section,
  string,
  strings,
} from './setting.ts'

const webhook = section<WebhookConfig>(
  {
    ...{ url: string, events: strings, types: strings, filters: anyObject, enabled: boolean },
    ...{ headers: record(string, 'header names'), secret: string, env: string },
  },
  (value, path, report) => {
    required('url')(value, path, report)
    if ((value.secret === undefined) === (value.env === undefined))
      report(path, 'must have either secret or env')
  },
)

export const changesSettings = {
  events: section<ChangesConfig['events']>({
    enabled: boolean,
    keepDays: days,
    maxEvents: positiveInteger,
    maxStreams: positiveInteger,
    maxStreamsPerAddress: positiveInteger,
    maxWaitingBytes: positiveInteger,
    heartbeatSeconds: seconds,
  }),
  schedules: section<ChangesConfig['schedules']>({ enabled: boolean }),
  releases: section<ChangesConfig['releases']>({
    enabled: boolean,
    keepDays: days,
    maxReleases: positiveInteger,
  }),
  notices: section<ChangesConfig['notices']>({ keepDays: days, maxNotices: positiveInteger }),
  history: section<ChangesConfig['history']>({
    enabled: boolean,
    keepDays: days,
    maxVersions: positiveInteger,
  }),
  webhooks: section<ChangesConfig['webhooks']>({
    enabled: boolean,
    allow: hosts,
    timeoutSeconds: integerBetween(1, 60),
    maxPerSecond: positiveInteger,
    keepDays: days,
    maxDeliveries: positiveInteger,
    endpoints: record(webhook, 'webhook names'),
  }),
  audit: section<ChangesConfig['audit']>({ enabled: boolean, keepDays: days, maxRecords: positiveInteger }),
}
