import assert from 'node:assert/strict'
import { test } from 'node:test'
import { databaseUrlProblem, serverOf, urlsOfHosts } from './database-url.ts'

test('a PostgreSQL URL may name several servers', () => {
  assert.deepEqual(urlsOfHosts('postgres://u:p%40@a:5432,b,[::1]:5433/db?sslmode=require'), [
    'postgres://u:p%40@a:5432/db?sslmode=require',
    'postgres://u:p%40@b/db?sslmode=require',
    'postgres://u:p%40@[::1]:5433/db?sslmode=require',
  ])
  assert.equal(databaseUrlProblem('postgres://u:p@a:5432,b:5433/db'), null)
})

test('a URL with one server is kept as it is', () => {
  for (const url of ['postgres://u:a,b@host/db', 'postgresql://host', 'sqlite:a,b.db'])
    assert.deepEqual(urlsOfHosts(url), [url])
})

test('a URL without a host names a server on this machine, by its Unix socket if a folder is given', () => {
  const servers = {
    'postgres://u:p@/db': ['postgres://u:p@localhost/db', 'localhost'],
    'postgresql:///db?host=/run/postgresql': [
      'postgresql://localhost/db?host=/run/postgresql',
      '/run/postgresql',
    ],
    'postgres://u@%2Frun%2Fpostgresql/db': ['postgres://u@%2Frun%2Fpostgresql/db', '/run/postgresql'],
    'postgres://u:p@a:5432/db': ['postgres://u:p@a:5432/db', 'a:5432'],
    'postgres://u:p@100%/db': ['postgres://u:p@100%/db', '100%'],
  }
  for (const [url, [full = '', server]] of Object.entries(servers)) {
    assert.equal(databaseUrlProblem(url), null)
    assert.deepEqual(urlsOfHosts(url), [full])
    assert.equal(serverOf(full), server)
  }
})

test('a URL with an invalid server is refused', () => {
  assert.equal(databaseUrlProblem('postgres://u:p@a:5432,b:port/db'), 'is not a valid URL')
})
