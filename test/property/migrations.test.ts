/**
 * Content and its history survive random edits of the schema files of random models.
 *
 *   OCTAVO_PROPERTY_WORLDS=200 OCTAVO_PROPERTY_SEED=7 npm test -- test/property/migrations.test.ts
 */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import fc from 'fast-check'
import { openMigratedProject } from '../migration/migrated-project.ts'
import { onEachEngine, type TestEngine } from '../support/engines.ts'
import { TOKEN } from '../support/project-server.ts'
import { ApiClient } from './api-client.ts'
import { contentArbitrary, type Write } from './content.ts'
import { type Dump, dumpContent, dumpHistory } from './dump.ts'
import { modelArbitrary, type RandomModel, schemaFiles } from './random-model.ts'
import { editOf } from './schema-edits.ts'

const MODELS = Number(process.env.OCTAVO_PROPERTY_WORLDS ?? 2)
const EDITS = Number(process.env.OCTAVO_PROPERTY_EDITS ?? 6)
const SEED = Number(process.env.OCTAVO_PROPERTY_SEED ?? Math.floor(Math.random() * 2 ** 31))

const modelWithContent = modelArbitrary.chain((model) =>
  fc.record({ model: fc.constant(model), writes: contentArbitrary(model) }),
)

onEachEngine((engine) => {
  describe(`random migrations keep content and its history (OCTAVO_PROPERTY_SEED=${SEED})`, () => {
    for (const [index, { model, writes }] of fc
      .sample(modelWithContent, { seed: SEED, numRuns: MODELS })
      .entries()) {
      it(`and what a setting hides until it is on again, of model ${index}`, (t) =>
        checkHidden(t, engine, model, writes))
      it(`of model ${index} with ${model.types.length} types and ${writes.length} writes`, (t) =>
        check(t, engine, model, writes, SEED + index))
    }
  })
})

async function open(t: TestContext, engine: TestEngine, model: RandomModel, writes: readonly Write[]) {
  const project = await openMigratedProject(t, engine, schemaFiles(model))
  await new ApiClient(model, project.server().base, TOKEN).write(writes)
  const read = async (url: string) => {
    const response = await project.server().request('GET', url)
    if (response.status === 404) return null
    assert.equal(response.status, 200, `${url}: ${response.text}`)
    return JSON.parse(response.text).data
  }
  return {
    ...project,
    dump: (present: RandomModel) => dumpContent(present, read),
    history: (present: RandomModel, content: Dump) => dumpHistory(present, content, read),
  }
}

/** Locales and drafts are hidden while localization or draft & publish is off, and return with it. */
async function checkHidden(t: TestContext, engine: TestEngine, model: RandomModel, writes: readonly Write[]) {
  const project = await open(t, engine, model, writes)
  const switchOff = async (name: string, setting: 'localized' | 'drafts') => {
    const types = model.types.map((type) => (type.name === name ? { ...type, [setting]: false } : type))
    await project.apply(schemaFiles({ ...model, types }), 'everything')
    await project.apply(schemaFiles(model), 'everything')
  }
  let content = await project.dump(model)
  for (const { name } of model.types.filter(({ localized }) => localized)) {
    await switchOff(name, 'localized')
    assert.deepEqual(await project.dump(model), content, `localization of ${name}`)
  }
  for (const { name } of model.types.filter(({ drafts }) => drafts)) {
    await switchOff(name, 'drafts')
    const after = await project.dump(model)
    const views = Object.keys(content).filter((view) => view.startsWith(`${name} draft`))
    for (const view of views) assert.deepEqual(withoutIds(after[view]), withoutIds(content[view]), view)
    content = after
  }
}

const withoutIds = (documents: Dump[string] = []) =>
  documents
    .map(({ id: _, ...document }) => document)
    .sort((a, b) => (String(a.documentId) < String(b.documentId) ? -1 : 1))

async function check(
  t: TestContext,
  engine: TestEngine,
  first: RandomModel,
  writes: readonly Write[],
  seed: number,
) {
  const project = await open(t, engine, first, writes)
  const done: string[] = []
  let model = first
  let content = await project.dump(model)
  for (let step = 0; step < EDITS; step++) {
    const [edit] = fc.sample(editOf(model, step), { seed: seed + step, numRuns: 1 })
    if (!edit) throw new Error('There is nothing to edit')
    done.push(edit.title)
    await project.apply(schemaFiles(edit.next, edit.former), 'everything')
    const after = await project.dump(edit.next)
    assert.deepEqual(after, edit.expected(content), done.join(', then '))
    model = edit.next
    content = after
  }
  for (const [view, states] of Object.entries(await project.history(model, content))) {
    const present = new Map((content[view] ?? []).map((document) => [document.documentId, document]))
    const saved = states.map(({ documentId }) => present.get(documentId ?? null))
    assert.deepEqual(states, saved, `history of ${view}: ${done.join(', then ')}`)
  }
}
