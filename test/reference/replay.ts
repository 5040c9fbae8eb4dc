/**
 * Replays recorded cases against a server: seeds it, sends the steps of a case and collects the differences. As a
 * program it replays against a running server with the recorded project and an empty database:
 *
 *   node test/reference/replay.ts http://127.0.0.1:1337 [part of a case's name]
 */
import { type Client, createClient, type RecordedResponse } from './client.ts'
import { differences, withSpecifiedDifferences } from './compare.ts'
import { isObject, Memory } from './memory.ts'
import { normalise } from './normalise.ts'
import { type Case, loadRecording, type Recording, type Step } from './recording.ts'

/** Seeds an empty database and returns the created documents. */
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

/** Runs all steps of a case, even after a difference, so that the cleanup steps run too. */
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
      const response = await client.send(step, memory)
      if (step.key && response.status < 300) memory.remember(step.key, response.body)
      await undoUnexpectedCreate(step, response, client, recording)
      found.push(
        ...stepDifferences(step, response, memory, recording).map(
          (line) => `${title(index, step)}\n    ${line}`,
        ),
      )
    } catch (error) {
      // After a failed step, later steps may refer to values that do not exist.
      if (step.expect) found.push(`${title(index, step)}\n    ${error}`)
    }
  }
  return found
}

const title = (index: number, { method, path, query = '' }: Step) =>
  `step ${index} ${method} ${path}${query && `?${decodeURIComponent(query)}`}`

function stepDifferences(step: Step, response: RecordedResponse, memory: Memory, recording: Recording) {
  if (!step.expect) return []
  const expect = withSpecifiedDifferences(step, step.expect, recording)
  if (step.cleanup) return differences(step, { status: expect.status }, { ...response, body: null })
  return differences(step, expect, {
    ...response,
    body: normalise(response.body, memory.keysByDocument(), recording),
  })
}

/** Deletes a document that should not have been created, so that it does not affect later cases. */
async function undoUnexpectedCreate(
  step: Step,
  { status, body }: RecordedResponse,
  client: Client,
  { typeAt }: Recording,
) {
  const isExpected = (step.expect?.status ?? 200) < 400
  if (step.method !== 'POST' || isExpected || status >= 300 || !typeAt(step.path)) return
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
