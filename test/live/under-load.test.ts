/**
 * The model changes repeatedly while 16 clients read and write: every response is correct for the model before or after
 * the change, no request fails, and no acknowledged write is lost.
 */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { onEachEngine } from '../support/engines.ts'
import {
  collection,
  component,
  componentFile,
  openProject,
  projectFolder,
  TOKEN,
  typeFile,
} from '../support/project-server.ts'

const string = { type: 'string' }
const CLIENTS = 16

/** The attributes of an item besides id, documentId, name, count and the timestamps, in order. */
type Shape = readonly string[]

interface Step {
  readonly attributes: object
  readonly options?: object
  readonly pluginOptions?: object
  readonly shows: Shape
}

const always = { name: string, count: { type: 'integer' } }
const part = { parts: { type: 'component', component: 'shared.part', repeatable: true } }

const STEPS: readonly Step[] = [
  { attributes: { ...always, color: string, size: string, ...part }, shows: ['color', 'size'] },
  {
    attributes: { ...always, color: string, size: string, extra: string, ...part },
    shows: ['color', 'size', 'extra'],
  },
  {
    attributes: {
      ...always,
      colour: { ...string, renamedFrom: 'color' },
      size: string,
      extra: string,
      ...part,
    },
    shows: ['colour', 'size', 'extra'],
  },
  {
    attributes: { ...always, colour: string, size: { type: 'integer' }, extra: string, ...part },
    shows: ['colour', 'size', 'extra'],
  },
  {
    attributes: { ...always, colour: string, size: { type: 'integer' }, ...part },
    shows: ['colour', 'size'],
  },
  {
    attributes: { ...always, colour: string, size: { type: 'integer' }, ...part },
    options: { draftAndPublish: true },
    shows: ['colour', 'size'],
  },
  {
    attributes: { ...always, colour: string, size: { type: 'integer' }, ...part },
    options: { draftAndPublish: true },
    pluginOptions: { i18n: { localized: true } },
    shows: ['colour', 'size', 'locale'],
  },
  {
    attributes: { ...always, size: { type: 'integer' }, ...part },
    options: { draftAndPublish: true },
    pluginOptions: { i18n: { localized: true } },
    shows: ['size', 'locale'],
  },
]

const CONSTANT = [
  'id',
  'documentId',
  'name',
  'count',
  'createdAt',
  'updatedAt',
  'publishedAt',
  'parts',
  'meta',
]

interface Item {
  readonly documentId: string
  readonly name: string
  readonly count: number
}

onEachEngine((engine) => {
  it('16 clients get correct responses while the model changes', async (t) => {
    const [first] = STEPS
    const folder = projectFolder({
      [typeFile('item')]: collection('item', first?.attributes),
      [componentFile('shared.part')]: component('shared.part', { label: string }),
    })
    const project = await openProject(folder, await engine.freshUrl())
    t.after(() => project.remove())
    const { base } = project
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
    const written = new Map<string, { name: string; count: number }>()
    const responses = countResponses()
    let isOver = false

    const send = async (method: string, path: string, data?: object) => {
      const response = await fetch(base + path, {
        method,
        headers,
        ...(data && { body: JSON.stringify({ data }) }),
      })
      const text = await response.text()
      assert.ok(
        response.status === 200 || response.status === 201,
        `${method} ${path}: ${response.status} ${text}`,
      )
      const body: { data: Item & Item[] } = JSON.parse(text)
      return body.data
    }

    /** The models under which an item may have been served. */
    const modelsOf = (item: object) => {
      const shown = Object.keys(item).filter((key) => !CONSTANT.includes(key))
      return STEPS.flatMap(({ shows }, index) => (shows.join() === shown.join() ? [index] : []))
    }

    /** A client that has seen a model must never see an earlier one. */
    function createModelOrderCheck() {
      let seen = 0
      return (items: readonly object[]) => {
        const models = items.map(modelsOf)
        const later = Math.min(
          ...(models[0] ?? [seen]).filter(
            (index) => index >= seen && models.every((one) => one.includes(index)),
          ),
        )
        assert.ok(Number.isFinite(later), `${JSON.stringify(items)} after model ${seen}`)
        seen = later
      }
    }

    async function read() {
      const checkModelOrder = createModelOrderCheck()
      while (!isOver) {
        const items = await send(
          'GET',
          '/api/items?populate=parts&pagination[pageSize]=50&sort=createdAt:desc',
        )
        checkModelOrder(items)
        for (const { name, count } of items) assert.ok(name.startsWith('client ') && Number.isInteger(count))
        responses.count()
      }
    }

    async function write(client: number) {
      const checkModelOrder = createModelOrderCheck()
      for (let count = 0; !isOver; count++) {
        const name = `client ${client} ${count}`
        const parts = [{ label: name }]
        const made = await send('POST', '/api/items', { name, count, parts })
        checkModelOrder([{ id: 0, ...made }])
        assert.deepEqual([made.name, made.count], [name, count])
        written.set(made.documentId, { name, count })
        const changed = await send('PUT', `/api/items/${made.documentId}`, { count: count + 1000 })
        checkModelOrder([changed])
        assert.deepEqual([changed.name, changed.count], [name, count + 1000])
        written.set(made.documentId, { name, count: count + 1000 })
        responses.count()
      }
    }

    const clients = Array.from({ length: CLIENTS }, (_, index) => (index % 2 === 0 ? read() : write(index)))
    const running = Promise.all(clients).finally(() => {
      isOver = true
    })
    running.catch(() => {})
    /** Every client gets several responses under each model. */
    const load = () => Promise.race([responses.more(5 * CLIENTS), running])

    async function change(index: number, step: Step) {
      await load()
      const { shows, attributes, ...more } = step
      if (index > 0) {
        const data = collection('item', attributes, more)
        const changed = await project.adminRequest('PUT', '/content-types/api::item.item?confirm=true', {
          data,
        })
        assert.equal(changed.status, 200, changed.text)
        // The change is active when its response arrives: the next request sees it.
        const items = await send('GET', '/api/items?pagination[pageSize]=1')
        for (const item of items)
          assert.ok(modelsOf(item).includes(index), `${shows}: ${JSON.stringify(item)}`)
      }
      const name = `fresh${index}`
      const made = await project.adminRequest('POST', '/content-types', {
        data: collection(name, { text: string }),
      })
      assert.equal(made.status, 201, made.text)
      assert.deepEqual(await send('GET', `/api/${name}s`), [])
      assert.equal((await send('POST', `/api/${name}s`, { text: 'x' })).documentId.length > 0, true)
      const hidden = component('shared.part', { label: string, [`more${index}`]: string })
      assert.equal(
        (await project.adminRequest('PUT', '/components/shared.part', { data: hidden })).status,
        200,
      )
    }

    try {
      for (const [index, step] of STEPS.entries()) await Promise.race([change(index, step), running])
      await load()
    } finally {
      isOver = true
      await running
    }
    for (const [documentId, { name, count }] of written) {
      const item = await send('GET', `/api/items/${documentId}?populate=parts`)
      assert.deepEqual([item.name, item.count], [name, count])
      assert.equal(Object(Reflect.get(item, 'parts'))[0].label, name)
    }
    const all = await fetch(`${base}/api/items?pagination[pageSize]=1`, { headers })
    const { meta }: { meta: { pagination: { total: number } } } = JSON.parse(await all.text())
    assert.equal(meta.pagination.total, written.size)
  })
})

/** Counts responses, and resolves when a number of further ones have arrived. */
function countResponses() {
  let total = 0
  let waiting: { readonly until: number; readonly resolve: () => void } | null = null
  return {
    count() {
      total++
      if (waiting && total >= waiting.until) waiting.resolve()
    },
    more: (further: number) =>
      new Promise<void>((resolve) => {
        waiting = { until: total + further, resolve }
      }),
  }
}
