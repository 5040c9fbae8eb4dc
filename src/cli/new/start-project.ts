/** Installs and starts a new project. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { UsageError } from '../error-message.ts'

const COMMAND = path.resolve(import.meta.dirname, '../../../bin/octavo.js')

/** Resolves when the server has ended. A checkout of Octavo serves the project without installing it. */
export async function startProject(folder: string, isPackage: boolean): Promise<void> {
  if (!isPackage) return run(process.execPath, [COMMAND, 'dev', '--project', folder], folder)
  const next = 'The project itself is complete: run "npm install" and "npm run dev" there'
  await run('npm', ['install'], folder, next)
  await run('npm', ['run', 'dev'], folder)
}

/** `advice` says what to do after a failure. */
async function run(
  command: string,
  args: readonly string[],
  folder: string,
  advice: string | null = null,
): Promise<void> {
  const child = spawn(command, args, { cwd: folder, stdio: 'inherit', shell: process.platform === 'win32' })
  // The terminal sends its signals to the child too, which ends first.
  const ignore = () => {}
  process.on('SIGINT', ignore)
  const forward = () => child.kill('SIGTERM')
  process.on('SIGTERM', forward)
  try {
    const [code] = await once(child, 'exit')
    if (code === 0 || code === null) return
    const failure = `${command} ${args.join(' ')} failed in ${folder}`
    throw new UsageError(advice === null ? failure : `${failure}. ${advice}`)
  } finally {
    process.off('SIGINT', ignore)
    process.off('SIGTERM', forward)
  }
}
