/** Every storage provider, and the one that a configuration selects. */
import { resolve } from 'node:path'
import type { UploadConfig } from '../../project/config/config.ts'
import { defaults } from '../../project/config/defaults.ts'
import type { Setting } from '../../project/config/setting.ts'
import type { ProjectProblem } from '../../project/problems.ts'
import { didYouMean } from '../../project/suggest.ts'
import { StartError } from '../../store/errors.ts'
import { disk } from './disk.ts'
import { s3 } from './s3.ts'
import { createStaging, type Staging } from './staging.ts'
import type { Storage, StorageProvider } from './storage.ts'

const builtIn = { s3 }

type SettingsOf<Provider> = Provider extends StorageProvider<infer Settings> ? Settings : never

/** The sections of `upload` that select a provider. */
export type ProviderSettings = {
  readonly [Key in keyof typeof builtIn]?: SettingsOf<(typeof builtIn)[Key]> | null
}

/** By key below `upload`. Without any of these, files are stored on disk. */
export const storageProviders: Readonly<Record<string, StorageProvider<unknown>>> = builtIn

/** What is wrong with the sections of providers; the project reads them without knowing them. */
export function storageProblems(config: UploadConfig): ProjectProblem[] {
  const problems: ProjectProblem[] = []
  const note = (path: string, message: string) => problems.push({ file: 'configuration', path, message })
  const selected = selectedSections(config)
  for (const [key, value] of selected) {
    const provider = providerOf(key)
    if (provider) provider.settings.check(value, `upload.${key}`, note)
    else note(`upload.${key}`, `unknown setting "${key}"${didYouMean(key, knownKeys())}`)
  }
  if (selected.length > 1)
    note('upload', `selects several storage providers: ${selected.map(([key]) => key).join(', ')}; keep one`)
  return problems
}

/** Opens the configured storage, and the folder for uploads in progress. */
export async function openStorage(
  config: UploadConfig,
  directory: string,
): Promise<{ readonly storage: Storage; readonly staging: Staging }> {
  const folder = resolve(directory, config.directory)
  const [section] = selectedSections(config)
  return {
    storage: section ? await openProvider(section, folder) : await disk.open({}, folder),
    staging: createStaging(resolve(folder, '.incoming')),
  }
}

const selectedSections = (config: UploadConfig): [key: string, settings: unknown][] =>
  Object.entries(config).filter(([key, value]) => !Object.hasOwn(defaults.upload, key) && value != null)

/** Not a plain lookup: the key may be `constructor`. */
const providerOf = (key: string) => (Object.hasOwn(storageProviders, key) ? storageProviders[key] : undefined)

function openProvider([key, settings]: [string, unknown], folder: string) {
  const provider = providerOf(key)
  if (!provider || !accepts(provider.settings, settings))
    throw new StartError(`upload.${key} is not a valid storage provider`)
  return provider.open(settings, folder)
}

function accepts<Settings>(setting: Setting<Settings>, value: unknown): value is Settings {
  let isAccepted = true
  setting.check(value, '', () => {
    isAccepted = false
  })
  return isAccepted
}

const knownKeys = () => [...Object.keys(defaults.upload), ...Object.keys(storageProviders)]
