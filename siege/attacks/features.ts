/** Attacks on what stands beside the content API: live feeds, history, tools for agents, the admin app, repeated requests. */
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Attack, type Attacker, expectStatus, pick } from '../attack.ts'
import { CLIENT_TOKEN } from '../project.ts'
import { attackerAddress, type RequestOptions } from '../send.ts'

const STREAMS = 10

/** Live feeds of clients that read everything, or nothing at all, and disconnect after a while. */
async function holdFeeds(attacker: Attacker): Promise<void> {
  const { hostname, port } = new URL(attacker.base)
  const localAddress = attackerAddress(attacker.draw(20))
  const query = pick(attacker, ['', '?lastEventId=1', '?types=api::vault.vault', '?lastEventId=999999999'])
  const isRead = attacker.draw(2) === 0
  let received = ''
  const sockets = Array.from({ length: STREAMS }, () => {
    const socket = connect({ port: Number(port), host: hostname, localAddress })
    socket.on('error', () => {})
    if (isRead) socket.on('data', (chunk) => (received += chunk.toString('latin1')))
    socket.write(
      `GET /api/events${query} HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\nAuthorization: Bearer ${attacker.userToken}\r\n\r\n`,
    )
    return socket
  })
  await sleep(1_500)
  for (const socket of sockets) socket.resetAndDestroy()
  if (received.includes('api::vault.vault"')) attacker.report('A feed has events of a hidden content-type')
}

/** What was saved and deleted is not for callers without `readHistory`. */
async function readTheirPast(attacker: Attacker): Promise<void> {
  const { draftId, vaultId, userToken } = attacker
  const path = pick(attacker, [
    `/api/articles/${draftId}/history`,
    `/api/articles/${draftId}/history/1`,
    `/api/articles/${draftId}/history/1/changes`,
    `/api/articles/deleted`,
    `/api/vaults/${vaultId}/history`,
    `/api/articles/${draftId}/actions/schedule`,
  ])
  for (const token of [undefined, userToken])
    expectStatus(attacker, path, await attacker.send(path, { token }), [403, 404])
  const restore = { method: 'POST', token: userToken }
  const target = `/api/articles/${draftId}/history/1/restore?status=published`
  expectStatus(attacker, target, await attacker.send(target, restore), [403, 404])
}

/** Agents may do what their credential permits, and see none of the secrets. */
async function callTools(attacker: Attacker): Promise<void> {
  const { draftId, vaultId, userToken: token } = attacker
  const [name, given] = pick<readonly [string, object]>(attacker, [
    ['publish_document', { type: 'articles', documentId: draftId }],
    ['update_document', { type: 'articles', documentId: draftId, data: { title: 'x' }, status: 'published' }],
    ['find_documents', { type: 'vaults' }],
    ['get_document', { type: 'vaults', documentId: vaultId }],
    ['find_documents', { type: 'articles', filters: { secret: { $startsWith: 'p' } } }],
    ['document_history', { type: 'articles', documentId: draftId }],
    ['get_document', { type: 'articles', documentId: '../vaults' }],
    ['delete_document', { type: 'vaults', documentId: vaultId }],
  ])
  const reply = await attacker.send('/mcp', {
    method: 'POST',
    token,
    headers: { accept: 'application/json, text/event-stream' },
    json: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } },
  })
  expectStatus(attacker, `the tool ${name}`, reply, [200])
  if (reply.status === 200 && !/"(?:isError|error)":/.test(reply.text))
    attacker.report(`The tool ${name} succeeded with ${JSON.stringify(given)}`)
}

/** Credentials of the wrong kind. */
async function enterTheAdminApp(attacker: Attacker): Promise<void> {
  const secret = `octavo_session_${'a'.repeat(43)}`
  const options = pick<RequestOptions>(attacker, [
    { headers: { cookie: `octavo_session=${secret}` } },
    { headers: { cookie: `octavo_session=${attacker.userToken.replaceAll('.', '-')}` } },
    { token: secret },
    { token: attacker.userToken },
    { token: attacker.userToken, headers: { origin: attacker.base } },
  ])
  const path = pick(attacker, ['/admin/api/me', '/admin/api/content/articles', '/admin/api/audit'])
  expectStatus(attacker, path, await attacker.send(path, options), [401, 403])
}

/** A repeated request must not return what another caller got. */
async function repeatRequestsOfOthers(attacker: Attacker): Promise<void> {
  const key = { 'idempotency-key': `key-${attacker.draw(1_000_000_000)}` }
  const json = { data: { content: 'written once' } }
  const request = { method: 'POST', headers: key, json }
  const first = await attacker.sendUnchecked('/api/vaults', { ...request, token: CLIENT_TOKEN })
  for (const token of [undefined, attacker.userToken])
    expectStatus(
      attacker,
      'a key of another caller',
      await attacker.send('/api/vaults', { ...request, token }),
      [403],
    )
  if (first.status === 201)
    await attacker.sendUnchecked(`/api/vaults/${JSON.parse(first.text).data.documentId}`, {
      method: 'DELETE',
      token: CLIENT_TOKEN,
    })
}

/** Ids can be guessed, so they must not reveal files of others. */
async function attachGuessedFiles(attacker: Attacker): Promise<void> {
  const reply = await attacker.send('/api/articles?status=draft&populate=cover', {
    method: 'POST',
    token: attacker.userToken,
    json: { data: { title: 'with a guessed file', cover: 1 + attacker.draw(100_000) } },
  })
  expectStatus(attacker, 'attaching a guessed file', reply, [201, 400])
  if (reply.text.includes('ordinary.txt')) attacker.report('A guessed id revealed a file of others')
}

export const FEATURES: readonly Attack[] = [
  { name: 'live feeds', pauseMs: 3_000, run: holdFeeds },
  { name: 'history of others', pauseMs: 200, run: readTheirPast },
  { name: 'tools for agents', pauseMs: 1_000, run: callTools },
  { name: 'entering the admin app', pauseMs: 500, run: enterTheAdminApp },
  { name: 'repeated requests of others', pauseMs: 300, run: repeatRequestsOfOthers },
  { name: 'guessed files', pauseMs: 200, run: attachGuessedFiles },
]
