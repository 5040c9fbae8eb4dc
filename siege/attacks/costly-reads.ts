/** Reads that ask for far more work than an ordinary one. Each is served or refused within its limits. */
import { type Attack, type Attacker, expectStatus, pick } from '../attack.ts'

const hops = (count: number) =>
  Array.from({ length: count }, (_, hop) => (hop % 2 === 0 ? '[tags]' : '[notes]')).join('')
const levels = (count: number) => hops(count).replaceAll('][', '.').slice(1, -1)

/** A word that no earlier query contained, so that no response is cached. */
const newWord = ({ draw }: Attacker) => `zz${draw(1_000_000_000).toString(36)}`

async function filterThroughManyPaths(attacker: Attacker): Promise<void> {
  const count = 2 * (1 + attacker.draw(3))
  const path = `/api/notes?filters${hops(count)}[title][$containsi]=${newWord(attacker)}`
  expectStatus(attacker, path, await attacker.send(path), [200, 400])
}

async function populateInCircles(attacker: Attacker): Promise<void> {
  const path = pick(attacker, [
    `/api/notes?populate=${levels(2 + attacker.draw(5))}&pagination[pageSize]=100&filters[id][$gt]=${attacker.draw(1000)}`,
    `/api/tags?populate[notes][populate][tags][populate][notes]=true&filters[id][$gt]=${attacker.draw(100)}`,
    `/api/notes/note${attacker.draw(attacker.counts.notes)}?populate=${levels(40)}`,
    `/api/tags?pagination[pageSize]=100&populate[notes][populate]=*&filters[id][$gt]=${attacker.draw(100)}`,
  ])
  expectStatus(attacker, path, await attacker.send(path), [200, 400])
}

async function sortAndSearch(attacker: Attacker): Promise<void> {
  const word = newWord(attacker)
  const path = pick(attacker, [
    `/api/notes?sort=tags.notes.tags.name,tags.notes.title:desc&_q=${word}`,
    `/api/notes?_q=${word}&sort=title&pagination[start]=100000`,
    `/api/notes?filters[tags][notes][tags][$null]=true&filters[title][$notContainsi]=${word}`,
    `/api/notes?filters[$not][$not][$not][tags][notes][title][$endsWithi]=${word}`,
    `/api/notes?pagination[cursor]=start&sort=tags.notes.title,title,id&filters[title][$nei]=${word}`,
  ])
  expectStatus(attacker, path, await attacker.send(path), [200, 400])
}

async function sendLargeQueries(attacker: Attacker): Promise<void> {
  const word = newWord(attacker)
  const list = (length: number, item: (index: number) => string) =>
    Array.from({ length }, (_, index) => item(index)).join('&')
  const path = pick(attacker, [
    `/api/notes?${list(900, (index) => `filters[id][$in]=${index}`)}`,
    `/api/notes?${list(300, (index) => `filters[$or][${index}][title][$containsi]=${word}`)}`,
    `/api/notes?${list(200, (index) => `filters[$or][${index}][tags][notes][title]=${word}`)}`,
    `/api/notes?filters${'[$not]'.repeat(200)}[title]=${word}`,
    `/api/notes?filters${'[$and][0]'.repeat(1_000)}[title]=${word}`,
    `/api/notes?${list(2_500, (index) => `a${index}=1`)}`,
    `/api/notes?populate${'[tags][populate][notes][populate]'.repeat(100)}=tags`,
    `/api/notes?filters[title][$in]=${'x,'.repeat(4_000)}`,
    `/api/notes?sort=${'title,'.repeat(1_500)}id`,
    `/api/notes?filters[price][$eq]=${'9'.repeat(10_000)}`,
    `/api/notes?pagination[page]=${'9'.repeat(300)}&pagination[pageSize]=${'9'.repeat(300)}`,
  ])
  expectStatus(attacker, path.slice(0, 120), await attacker.send(path), [200, 400, 431])
}

export const COSTLY_READS: readonly Attack[] = [
  { name: 'filters through many paths', pauseMs: 100, attackers: 3, run: filterThroughManyPaths },
  { name: 'populating in circles', pauseMs: 100, attackers: 3, run: populateInCircles },
  { name: 'costly sorts and searches', pauseMs: 100, attackers: 2, run: sortAndSearch },
  { name: 'large queries', pauseMs: 150, run: sendLargeQueries },
]
