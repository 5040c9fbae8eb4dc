/**
 * Replays recorded cases against a server: seeds it, sends the steps of a case and gathers the differences. As a
 * program it replays against a running server with the recorded project and an empty database:
 *
 *   node test/reference/replay.ts http://127.0.0.1:1337 [part of a case's name]
 */
import { type Answer, type Client, createClient } from './client.ts'
import { asSpecified, differences } from './compare.ts'
import { isObject, Memory } from './memory.ts'
import { normalise } from './normalise.ts'
import { type Case, loadRecording, type Recording, type Step } from './recording.ts'

/** Runs the seed on an empty database; returns what it made. */
export async function seedServer(client: Client, { seed }: Recording): Promise<Memory> {
  const memory = new Memory()
  for (const step of seed) {
    const { status, body } = await client.send(step, memory)
    if (status >= 300)
      throw new Error(`Seeding ${step.key ?? step.path} failed: ${status} ${JSON.stringify(body)}`)
    if (step.key) memory.remember(step.key, body)
  }
  return memory
}

/** Runs all steps of a case, also after a difference, so that those that tidy up are reached. */
export async function replayCase(
  { steps }: Case,
  client: Client,
  seeded: Memory,
  recording: Recording,
): Promise<string[]> {
  const memory = new Memory(seeded)
  const found: string[] = []
  for (const [index, step] of steps.entries()) {
    try {
      const answer = await client.send(step, memory)
      if (step.key && answer.status < 300) memory.remember(step.key, answer.body)
      await undoUnwanted(step, answer, client, recording)
      found.push(
        ...stepDifferences(step, answer, memory, recording).map(
          (line) => `${title(index, step)}\n    ${line}`,
        ),
      )
    } catch (error) {
      // After a refusal there may be nothing for the steps behind it to name.
      if (step.expect) found.push(`${title(index, step)}\n    ${error}`)
    }
  }
  return found
}

const title = (index: number, { method, path, query = '' }: Step) =>
  `step ${index} ${method} ${path}${query && `?${decodeURIComponent(query)}`}`

function stepDifferences(step: Step, answer: Answer, memory: Memory, recording: Recording) {
  if (!step.expect) return []
  const expect = asSpecified(step, step.expect, recording)
  if (step.cleanup) return differences(step, { status: expect.status }, { ...answer, body: null })
  return differences(step, expect, {
    ...answer,
    body: normalise(answer.body, memory.keysByDocument(), recording),
  })
}

/** A create that should have been refused and was not must not disturb later cases. */
async function undoUnwanted(step: Step, { status, body }: Answer, client: Client, { typeAt }: Recording) {
  const wanted = (step.expect?.status ?? 200) < 400
  if (step.method !== 'POST' || wanted || status >= 300 || !typeAt(step.path)) return
  const documentId = isObject(body) && isObject(body.data) ? body.data.documentId : undefined
  if (typeof documentId !== 'string') return
  const path = `${step.path}/${documentId}`
  await client.send({ method: 'DELETE', path, query: 'locale=*', auth: 'full' }, new Memory())
}

async function main([base = 'http://127.0.0.1:1337', part = '']: readonly string[]) {
  const recording = loadRecording()
  const client = createClient(base, recording)
  const seeded = await seedServer(client, recording)
  const cases = recording.cases.filter(({ name }) => name.includes(part))
  let failed = 0
  for (const one of cases) {
    const found = await replayCase(one, client, seeded, recording)
    if (found.length > 0) {
      failed++
      console.log(`✗ ${one.name}\n  ${found.join('\n  ')}`)
    }
  }
  console.log(`${cases.length - failed} passed, ${failed} failed`)
  process.exitCode = failed > 0 ? 1 : 0
}

if (import.meta.main) await main(process.argv.slice(2))
