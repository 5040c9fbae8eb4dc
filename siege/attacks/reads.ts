/** Attacks on what reads reveal: private attributes, hidden documents, hostile names, and responses cached for others. */
import { type Attack, type Attacker, expectStatus, isRefused, pick } from '../attack.ts'
import { CLIENT_TOKEN, PRIVATE_VALUE } from '../project.ts'

/** Queries about a private attribute, with the value that the attacker guesses. */
const QUESTIONS: readonly [(guess: string) => string, ...((guess: string) => string)[]] = [
  (guess) => `/api/articles?filters[secret]=${guess}`,
  (guess) => `/api/articles?filters[secret][$startsWith]=${guess}`,
  (guess) => `/api/articles?filters[secret][$containsi]=${guess}`,
  (guess) => `/api/articles?filters[secret][$gt]=${guess}`,
  (guess) => `/api/articles?filters[secret][$in][0]=${guess}`,
  (guess) => `/api/articles?filters[$or][0][secret]=${guess}&filters[$or][1][id][$notNull]=true`,
  (guess) => `/api/articles?filters[$not][secret]=${guess}`,
  (guess) => `/api/articles?filters[a_secret]=${guess}`,
  (guess) => `/api/articles?filters[pin][$startsWith]=${guess}`,
  (guess) => `/api/articles?sort=secret&_q=${guess}`,
  (guess) => `/api/articles?fields=secret&_q=${guess}`,
  (guess) => `/api/articles?_q=${guess}`,
  (guess) => `/api/shelfs?filters[articles][secret][$startsWith]=${guess}`,
  (guess) => `/api/shelfs?populate[articles][filters][secret]=${guess}`,
  (guess) => `/api/shelfs?populate[articles][sort]=secret&_q=${guess}`,
  (guess) => `/api/articles?filters[vault][content][$startsWith]=${guess}`,
  (guess) => `/api/articles?filters[shelf][articles][vault][content]=${guess}`,
]

async function guessPrivateValues(attacker: Attacker): Promise<void> {
  const question = pick(attacker, QUESTIONS)
  const right = PRIVATE_VALUE.slice(0, 1 + attacker.draw(PRIVATE_VALUE.length))
  const wrong = [...right].reverse().join('')
  const token = pick(attacker, [undefined, attacker.userToken])
  const replies = [
    await attacker.send(question(right), { token }),
    await attacker.send(question(wrong), { token }),
  ]
  if (replies.some(isRefused)) return
  const [first = '', second = ''] = replies.map(({ status, text }, index) =>
    `${status} ${text}`.replaceAll(index === 0 ? right : wrong, ''),
  )
  if (first !== second) attacker.report(`${question(right)} reveals a private value`)
}

const HOSTILE_NAMES = [
  'title" OR 1=1 --',
  "title') UNION SELECT * FROM octavo_users --",
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'a_title',
  't.title',
  'title;DROP TABLE notes',
  '$where',
  '\u0000',
  '😀'.repeat(50),
] as const

async function sendHostileNames(attacker: Attacker): Promise<void> {
  const name = encodeURIComponent(pick(attacker, HOSTILE_NAMES))
  const path = pick(attacker, [
    `/api/articles?filters[${name}]=1`,
    `/api/articles?filters[title][${name}]=1`,
    `/api/articles?sort=${name}`,
    `/api/articles?sort[${name}]=asc`,
    `/api/articles?fields=${name}`,
    `/api/articles?populate=${name}`,
    `/api/articles?populate[${name}][fields]=title`,
    `/api/shelfs?populate[articles][filters][${name}]=1`,
    `/api/articles?filters[title]=${name}&locale=${name}`,
    `/api/articles?${name}[${name}]=1&pagination[${name}]=1`,
    `/api/${name}`,
    `/api/articles/${name}`,
  ])
  expectStatus(attacker, path, await attacker.send(path), [200, 400, 404])
}

/** What depends on the caller must neither be shared nor be stored by caches in front of the server. */
async function readAsOthers(attacker: Attacker): Promise<void> {
  const path = pick(attacker, [
    `/api/vaults/${attacker.vaultId}`,
    '/api/vaults',
    `/api/articles/${attacker.draftId}?status=draft`,
    '/api/articles?status=draft',
    '/api/users',
    '/admin/api/tokens',
  ])
  // The response to the owner must not be cached for the attackers.
  const owner = await attacker.sendUnchecked(path, { token: CLIENT_TOKEN })
  for (const token of [undefined, attacker.userToken]) {
    const reply = await attacker.send(path, { token })
    expectStatus(attacker, `${path} as ${token ? 'a user' : 'the public'}`, reply, [401, 403, 404])
  }
  const { 'cache-control': control = '' } = owner.headers
  if (owner.status === 200 && !control.includes('private'))
    attacker.report(`${path} with a token may be stored by shared caches: ${control}`)
}

async function readFromOtherSites(attacker: Attacker): Promise<void> {
  const headers = { origin: 'https://attacker.example', cookie: 'octavo_session=planted' }
  const reply = await attacker.send(pick(attacker, ['/api/articles', '/api/users/me', '/admin/api/me']), {
    headers,
  })
  if (reply.headers['access-control-allow-credentials'] !== undefined)
    attacker.report('Credentials are allowed for any origin')
  const change = await attacker.send('/admin/api/session', {
    method: 'POST',
    headers,
    json: { email: 'admin@example.com', password: 'x' },
  })
  if (change.status < 400) attacker.report(`A request of another site got ${change.status}`)
}

export const READS: readonly Attack[] = [
  { name: 'guessing private values', pauseMs: 60, attackers: 2, run: guessPrivateValues },
  { name: 'hostile names', pauseMs: 60, run: sendHostileNames },
  { name: 'reading as others', pauseMs: 150, run: readAsOthers },
  { name: 'requests of other sites', pauseMs: 300, run: readFromOtherSites },
]
