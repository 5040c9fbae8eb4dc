/**
 * Copies the files of Swagger UI that the server sends into a build. usage: node scripts/copy-swagger-ui.ts FOLDER.
 * The published package does not depend on its npm package, which is larger and reports installations to a third party.
 */
import { copyFileSync, mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', 'LICENSE', 'NOTICE']

/** Copies them into `swagger-ui` in this folder. */
export function copySwaggerUi(folder: string): void {
  const target = path.join(folder, 'swagger-ui')
  const { resolve } = createRequire(import.meta.url)
  mkdirSync(target, { recursive: true })
  for (const name of FILES) copyFileSync(resolve(`swagger-ui-dist/${name}`), path.join(target, name))
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) copySwaggerUi(process.argv[2] ?? 'dist')
