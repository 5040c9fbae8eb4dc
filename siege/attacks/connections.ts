/** Attacks with connections: malformed HTTP, contradictory lengths, slow headers and bodies, and many sockets. */
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Attack, type Attacker, pick } from '../attack.ts'
import { attackerAddress } from '../send.ts'

const GET = 'GET /api/notes?pagination[limit]=1 HTTP/1.1\r\nHost: x\r\n'
const SMUGGLED = 'POST /api/vaults HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n'
const POST = 'POST /api/articles HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'

const MALFORMED = [
  'GET / HTTP/9.9\r\nHost: x\r\n\r\n',
  'FLY /api/notes HTTP/1.1\r\nHost: x\r\n\r\n',
  '\u0000\u0001\u0002\u00ff\r\n\r\n',
  '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
  'GET /api/a b HTTP/1.1\r\nHost: x\r\n\r\n',
  `${GET}A: b\u0000c\r\n\r\n`,
  `${GET}Host: y\r\n\r\n`,
  `${GET}A: b\r\n c\r\n\r\n`,
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'GET /api/notes HTTP/1.1\r\n\r\n',
  `${GET}A: ${'x'.repeat(20_000)}\r\n\r\n`,
  `${GET}${'a: b\r\n'.repeat(5_000)}\r\n`,
  `GET /api/notes?${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
  `${POST}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  `${POST}Content-Length: 0\r\nContent-Length: ${SMUGGLED.length}\r\n\r\n${SMUGGLED}`,
  `${POST}Content-Length: -1\r\n\r\n${SMUGGLED}`,
  `${POST}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  `${POST}Transfer-Encoding: chunked\r\n\r\nzz\r\n${SMUGGLED}`,
  'CONNECT attacker.example:80 HTTP/1.1\r\nHost: x\r\n\r\n',
] as const

async function sendMalformedHttp(attacker: Attacker): Promise<void> {
  const bytes = pick(attacker, MALFORMED)
  const text = await attacker.sendBytes(bytes)
  const statuses = [...text.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status))
  if (statuses.some((status) => status < 400) || statuses.length > 1)
    attacker.report(`${bytes.slice(0, 60)} got ${statuses}`)
}

/** Requests whose client disconnects at a random time. */
async function disconnect(attacker: Attacker): Promise<void> {
  const { hostname, port } = new URL(attacker.base)
  const socket = connect({
    port: Number(port),
    host: hostname,
    localAddress: attackerAddress(attacker.draw(2_000)),
  })
  socket.on('error', () => {})
  const bytes = pick(attacker, [
    `${GET}\r\n`.repeat(50),
    'GET /api/notes?populate=tags.notes&pagination[pageSize]=100 HTTP/1.1\r\nHost: x\r\n\r\n',
    `${POST}Content-Length: 1000\r\n\r\n{"data"`,
    `${POST}Transfer-Encoding: chunked\r\n\r\n5\r\n{"dat`,
  ])
  socket.write(bytes)
  await sleep(attacker.draw(40))
  socket.resetAndDestroy()
}

const SOCKETS = 100

/** Many connections that send headers and then a byte of a body, or a byte of headers, now and then. */
async function holdConnections(attacker: Attacker): Promise<void> {
  const { hostname, port } = new URL(attacker.base)
  const localAddress = attackerAddress(attacker.draw(20))
  const beginning = pick(attacker, [`${POST}Content-Length: 1000\r\n\r\n{`, `${GET}A: `])
  const sockets = Array.from({ length: SOCKETS }, () => {
    const socket = connect({ port: Number(port), host: hostname, localAddress })
    socket.on('error', () => {})
    socket.on('data', () => {})
    socket.write(beginning)
    return socket
  })
  for (let second = 0; second < 4; second++) {
    await sleep(1_000)
    for (const socket of sockets) if (socket.writable) socket.write('x')
  }
  for (const socket of sockets) socket.destroy()
}

export const CONNECTIONS: readonly Attack[] = [
  { name: 'malformed HTTP', pauseMs: 100, run: sendMalformedHttp },
  { name: 'clients that disconnect', pauseMs: 100, run: disconnect },
  { name: 'slow headers and bodies', pauseMs: 500, attackers: 2, run: holdConnections },
]
