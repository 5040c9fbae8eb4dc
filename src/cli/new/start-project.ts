/** Installs and starts a new project. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { UsageError } from '../error-message.ts'

const COMMAND = path.resolve(import.meta.dirname, '../../../bin/octavo.js')

/** Resolves when the server has ended. A checkout of Octavo serves the project without installing it. */
export async function startProject(folder: string, isPackage: boolean): Promise<void> {
  if (!isPackage) return run(process.execPath, [COMMAND, 'dev', '--project', folder], folder)
  await run('npm', ['install'], folder)
  await run('npm', ['run', 'dev'], folder)
}

async function run(command: string, args: readonly string[], folder: string): Promise<void> {
  const child = spawn(command, args, { cwd: folder, stdio: 'inherit', shell: process.platform === 'win32' })
  // The terminal sends its signals to the child too, which ends first.
  const ignore = () => {}
  process.on('SIGINT', ignore)
  const forward = () => child.kill('SIGTERM')
  process.on('SIGTERM', forward)
  try {
    const [code] = await once(child, 'exit')
    if (code !== 0 && code !== null) throw new UsageError(`${command} ${args.join(' ')} failed in ${folder}`)
  } finally {
    process.off('SIGINT', ignore)
    process.off('SIGTERM', forward)
  }
}
