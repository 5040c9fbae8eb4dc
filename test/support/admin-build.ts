/** Builds the admin app when its sources are newer than the last build, so that its tests run what is in the folder. */
import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'

const ROOT = join(import.meta.dirname, '../..')

export async function buildAdminIfStale(): Promise<void> {
  const builtAt = modifiedAt('dist/admin/index.html')
  const sources = globSync('admin/{index.html,vite.config.ts,build/**,public/**,src/**}', { cwd: ROOT })
  const newest = Math.max(...sources.map(modifiedAt), modifiedAt('package-lock.json'))
  if (newest <= builtAt) return
  process.stdout.write('Building the admin app…\n')
  // Vite sets NODE_ENV to production, which the test processes would inherit.
  const { NODE_ENV } = process.env
  await build({ configFile: join(ROOT, 'admin/vite.config.ts'), logLevel: 'warn' })
  if (NODE_ENV === undefined) delete process.env.NODE_ENV
  else process.env.NODE_ENV = NODE_ENV
}

/** 0 for a file that does not exist. */
const modifiedAt = (file: string) => statSync(join(ROOT, file), { throwIfNoEntry: false })?.mtimeMs ?? 0
