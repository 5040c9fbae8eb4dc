/** The public API of the package: for a project's configuration, and for programs that embed the server. */
import type { Extension } from './http/extension/extension.ts'
import type { ProviderSettings } from './media/storage/providers.ts'
import type { ConfigInput } from './project/config/config.ts'

export type { AfterHook, BeforeHook, DocumentEvent, DocumentHooks } from './documents/hooks/hooks.ts'
export { ApiError, errors } from './errors.ts'
export { createServer, type OctavoServer, type ServerOptions } from './http/app.ts'
export type { Extension } from './http/extension/extension.ts'
export type { FindEvent, FindHooks, Policy, PolicyQuestion } from './http/extension/hooks-and-policies.ts'
export type { Server } from './http/server.ts'
export type { Config, ConfigInput } from './project/config/config.ts'
export type { Principal, Scope } from './query/scope.ts'

/** Adds types to an `octavo.config.ts`. */
export const defineConfig = (
  config: Omit<ConfigInput, 'extend' | 'upload'> & {
    readonly extend?: Extension
    readonly upload?: ConfigInput['upload'] & ProviderSettings
  },
) => config
