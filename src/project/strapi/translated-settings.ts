/** Collects the settings of a Strapi project as a partial configuration, and what became of each. */
import type { Setting } from '../config/setting.ts'
import { configSetting } from '../config/settings.ts'
import { isObject, type Values } from '../values.ts'

/** What became of a setting. */
export interface SettingUse {
  /** Its path in Strapi, such as `server.port`. */
  readonly setting: string
  readonly isUsed: boolean
  /** Our setting, or what to do instead. */
  readonly counterpart: string
}

export interface TranslatedSettings {
  /** A partial configuration; it is checked like one of the project. */
  readonly config: Values
  readonly uses: readonly SettingUse[]
}

/** Collects settings and what became of them. */
export class Settings {
  readonly #config: Record<string, unknown> = {}
  readonly #uses: SettingUse[] = []

  /** Uses a value as our setting at this path. An invalid value is not used. */
  use(setting: string, path: string, value: unknown): void {
    const problem = problemOf(path, value)
    if (problem !== null) {
      this.ignore(setting, `${path}, which ${problem}`)
      return
    }
    const keys = path.split('.')
    const last = keys.pop() ?? ''
    let section = this.#config
    for (const key of keys) {
      const inner = section[key]
      const next: Record<string, unknown> = isObject(inner) ? { ...inner } : {}
      section[key] = next
      section = next
    }
    section[last] = value
    this.#uses.push({ setting, isUsed: true, counterpart: path })
  }

  ignore(setting: string, counterpart: string): void {
    this.#uses.push({ setting, isUsed: false, counterpart })
  }

  get translated(): TranslatedSettings {
    return { config: this.#config, uses: this.#uses }
  }
}

/** What is wrong with a value of our setting; null if it is valid. */
function problemOf(path: string, value: unknown): string | null {
  let setting: Setting<unknown> | undefined = configSetting
  for (const key of path.split('.')) setting = setting?.children?.[key]
  let problem: string | null = null
  setting?.check(value, path, (_, message) => {
    problem ??= message
  })
  return problem
}
