/** A MariaDB server of its own, with an empty database and accounts like those of a real one. */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { createConnection } from 'mysql2/promise'
import { freePort } from '../support/free-port.ts'
import { waitUntil } from '../support/wait-until.ts'

/** Why tests with MariaDB cannot run; false if they can. CI installs it. */
export function whyNoMariaDb(): string | false {
  const isInstalled = (command: string) =>
    spawnSync(command, ['--no-defaults', '--help'], { stdio: 'ignore' }).error === undefined
  return isInstalled('mariadbd') && isInstalled('mariadb-install-db')
    ? false
    : 'MariaDB is not installed: apt-get install mariadb-server-core mariadb-client-core (or brew install mariadb)'
}

export interface MariaDb {
  /** The URL of an empty database, for an account with a password. */
  readonly url: string
  stop(): Promise<void>
}

export async function startMariaDb(): Promise<MariaDb> {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-mariadb-'))
  const port = await freePort()
  chmodSync(folder, 0o777)
  // As root, the server refuses to start without this option.
  const own = [`--datadir=${join(folder, 'data')}`, `--user=${userInfo().username}`]
  execFileSync(
    'mariadb-install-db',
    ['--no-defaults', ...own, '--auth-root-authentication-method=normal', '--skip-test-db'],
    { stdio: 'ignore' },
  )
  const child = spawn(
    'mariadbd',
    [
      ...['--no-defaults', ...own, `--socket=${join(folder, 'socket')}`, `--pid-file=${join(folder, 'pid')}`],
      ...[`--port=${port}`, '--bind-address=127.0.0.1', '--innodb-flush-log-at-trx-commit=0'],
      // Accepts dates that are zero, as old servers do.
      '--sql-mode=',
    ],
    { stdio: 'ignore' },
  )
  const asRoot = { host: '127.0.0.1', port, user: 'root' }
  await waitUntil(() =>
    createConnection(asRoot).then(
      (connection) => connection.end().then(() => true),
      () => false,
    ),
  )
  const root = await createConnection(asRoot)
  await root.query('create database strapi character set utf8mb4')
  await root.query("create user strapi identified by 'p@ss:word'")
  await root.query('grant all on strapi.* to strapi')
  await root.end()
  return {
    url: `mysql://strapi:${encodeURIComponent('p@ss:word')}@127.0.0.1:${port}/strapi`,
    async stop() {
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
