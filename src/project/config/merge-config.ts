/** Merges configurations and lists their settings. */
import { isObject } from '../values.ts'
import type { Setting } from './setting.ts'
import { configSetting } from './settings.ts'

/** Merges a configuration over another one: sections are merged, every other setting is replaced. */
export function mergeConfig<T>(base: T, over: unknown, setting?: Setting<unknown>): T
export function mergeConfig(
  base: unknown,
  over: unknown,
  setting: Setting<unknown> = configSetting,
): unknown {
  if (over === undefined) return base
  if (!setting.children || !isObject(base) || !isObject(over)) return over
  const merged: Record<string, unknown> = { ...base, ...(setting.isOpen && over) }
  for (const [key, inner] of Object.entries(setting.children)) {
    if (Object.hasOwn(over, key)) merged[key] = mergeConfig(base[key], over[key], inner)
  }
  return merged
}

/** All settings that are not sections, with their dotted paths. */
export function scalarSettings(
  setting: Setting<unknown> = configSetting,
  path = '',
): [path: string, setting: Setting<unknown>][] {
  if (!setting.children) return [[path, setting]]
  return Object.entries(setting.children).flatMap(([key, inner]) =>
    scalarSettings(inner, path === '' ? key : `${path}.${key}`),
  )
}
