/** What the package offers to a project's configuration and to a program that embeds the server. */
export { createServer, type OctavoServer, type ServerOptions } from './http/app.ts'
export { type Config, type ConfigInput, defineConfig } from './project/config.ts'
