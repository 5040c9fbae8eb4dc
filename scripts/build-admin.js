/**
 * Builds the admin app into `dist/admin`. Also the `prepare` script of the package, which npm runs after every install in
 * this folder: without the development dependencies it says so and succeeds. JavaScript, since Node may then be too old
 * to run TypeScript.
 */
import { fileURLToPath } from 'node:url'

const configFile = fileURLToPath(new URL('../admin/vite.config.ts', import.meta.url))

async function loadVite() {
  try {
    return await import('vite')
  } catch (error) {
    if (error?.code !== 'ERR_MODULE_NOT_FOUND') throw error
    return null
  }
}

const vite = await loadVite()
if (vite) await vite.build({ configFile, logLevel: process.argv.includes('--quiet') ? 'warn' : 'info' })
else process.stdout.write('The admin app was not built: the development dependencies are not installed.\n')
