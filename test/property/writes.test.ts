/** After every write of a random sequence, all versions are as in a naive model, and events name every change. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import {
  BEGINNING,
  type Command,
  command,
  sidesOf,
  TYPE_NAMES,
  TYPES,
  type TypeName,
} from '../documents/commands.ts'
import { brokenRules } from '../documents/integrity.ts'
import { type Change, type List, NaiveStore, type Values } from '../documents/naive.ts'
import { projectFiles, sendRequest } from '../documents/project.ts'
import { Replica } from '../documents/replica.ts'
import { onEachEngineVersion } from '../support/engines.ts'
import { serve, type TestServer } from '../support/server.ts'

const RUNS = Number(process.env.OCTAVO_PROPERTY_RUNS ?? 15)

onEachEngineVersion((engine) => {
  let running: TestServer
  let replica: Replica
  before(async () => {
    running = await serve(projectFiles(), await engine.freshUrl())
    replica = new Replica(running.server.store, running.server.layout)
  })
  after(() => running?.close())

  const request = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: unknown) =>
    sendRequest(running, method, url, body)

  /** Documents are named in the order of their creation; `ids` has their ids on the server. */
  class Run {
    readonly naive = new NaiveStore(TYPES)
    readonly ids = new Map<string, string>()
    #made = 0

    async step(one: Command) {
      const names = this.naive.namesOf(one.type)
      const name = names[one.pick % Math.max(names.length, 1)]
      if (one.kind === 'create' || name === undefined) return this.#create(one)
      const path = `/api/${one.type}s/${this.ids.get(name)}`
      const { locale } = one
      switch (one.kind) {
        case 'update': {
          const values = this.#values(one)
          const isNew = !this.naive.version(name, locale, !TYPES[one.type].drafts)
          const sent = isNew ? { ...values, title: `made ${this.#made}` } : values
          const allowed = this.naive.attempt(() =>
            this.naive.write(name, one.type, locale, one.status === 'published', sent),
          )
          const response = await request(
            'PUT',
            `${path}?locale=${locale}&status=${one.status}`,
            this.#body(sent),
          )
          assert.equal(response.status, allowed ? 200 : 400, JSON.stringify(response.body))
          return allowed && this.#compareResponse(one, response)
        }
        case 'publish':
        case 'unpublish':
        case 'discard': {
          const allowed = this.naive.attempt(() => this.naive[one.kind as 'publish'](name, locale))
          const response = await request('POST', `${path}/actions/${one.kind}?locale=${locale}`)
          return assert.equal(response.status === 200, allowed, JSON.stringify(response.body))
        }
        case 'remove': {
          const which = one.all ? '*' : locale
          this.naive.attempt(() => this.naive.remove(name, which))
          const response = await request('DELETE', `${path}?locale=${which}`)
          return assert.equal(response.status, 204)
        }
      }
    }

    async #create(one: Command) {
      const name = `${one.type} ${++this.#made}`
      const values = { ...this.#values(one), title: name }
      const allowed = this.naive.attempt(() =>
        this.naive.write(name, one.type, one.locale, one.status === 'published', values),
      )
      const response = await request(
        'POST',
        `/api/${one.type}s?locale=${one.locale}&status=${one.status}`,
        this.#body(values),
      )
      assert.equal(response.status, allowed ? 201 : 400, JSON.stringify(response.body))
      if (!allowed) return
      this.ids.set(name, response.body.data.documentId)
      await this.#compareResponse(one, response)
    }

    /** The response to a write is the same as that of a read, except that a create has no id. */
    async #compareResponse(
      { type, locale, status }: Command,
      { body, etag }: Awaited<ReturnType<typeof request>>,
    ) {
      const view = `locale=${locale}&status=${status}`
      const read = await request('GET', `/api/${type}s/${body.data.documentId}?${view}`)
      assert.deepEqual({ id: read.body.data.id, ...body.data }, read.body.data)
      const versionOf = (tag: string) => tag.split('-', 1)[0]
      assert.deepEqual([body.meta, versionOf(etag)], [read.body.meta, versionOf(read.etag)])
    }

    #values({ type, rank, relations }: Command): Values {
      const changes: Record<string, Change> = {}
      for (const one of relations) {
        const side = sidesOf(type).find(({ attribute }) => attribute === one.attribute)
        const names = side ? this.naive.namesOf(side.target) : []
        const named = (number: number) => names[number % Math.max(names.length, 1)] ?? ''
        const picked = names.length === 0 ? [] : [...new Set(one.picks.map(named))]
        const disconnected = names.length === 0 ? [] : [...new Set(one.disconnect.map(named))]
        changes[one.attribute] =
          one.kind === 'set'
            ? { kind: 'set', names: picked }
            : {
                kind: 'change',
                disconnect: disconnected,
                connect: picked.map((name, index) => {
                  const place = one.places[index] ?? { kind: 'end', anchor: 0 }
                  const { kind } = place
                  return {
                    name,
                    place:
                      kind === 'before' || kind === 'after'
                        ? { kind, anchor: named(place.anchor) }
                        : { kind },
                  }
                }),
              }
      }
      return { rank, relations: changes }
    }

    #body({ title, rank, relations }: Values) {
      const id = (name: string) => this.ids.get(name)
      const written = Object.entries(relations).map(([attribute, change]) => [
        attribute,
        change.kind === 'set'
          ? change.names.map(id)
          : {
              disconnect: change.disconnect.map(id),
              connect: change.connect.map(({ name, place }) => ({
                documentId: id(name),
                position: 'anchor' in place ? { [place.kind]: id(place.anchor) } : { [place.kind]: true },
              })),
            },
      ])
      return { data: { ...(title === undefined ? {} : { title }), rank, ...Object.fromEntries(written) } }
    }

    /** Compares everything that the server shows with the model. */
    async compare() {
      for (const type of TYPE_NAMES) {
        for (const locale of TYPES[type].localized ? ['en', 'fr'] : ['en']) {
          for (const status of TYPES[type].drafts
            ? (['draft', 'published'] as const)
            : (['published'] as const)) {
            await this.#compareList(type, locale, status)
          }
        }
      }
      assert.deepEqual(await brokenRules(running.server.store, running.server.layout()), [])
      await replica.follow()
      const { contents } = replica
      const actual = await replica.actual()
      for (const [key, content] of actual)
        if (TYPE_NAMES.some((name) => key.startsWith(`api::${name}.`)))
          assert.equal(contents.get(key), content, `an event is missing for ${key}`)
      for (const key of contents.keys()) assert.ok(actual.has(key), `no event says that ${key} was deleted`)
    }

    async #compareList(type: TypeName, locale: string, status: 'draft' | 'published') {
      const sides = sidesOf(type)
      const populate = sides.map(({ attribute }) => `populate[${attribute}][fields]=title`).join('&')
      const { body } = await request(
        'GET',
        `/api/${type}s?locale=${locale}&status=${status}&pagination[limit]=100&${populate}`,
      )
      const documents: Record<string, unknown>[] = body.data
      const mine = documents.filter((one) => [...this.ids.values()].includes(String(one.documentId)))
      const expected = this.naive
        .namesOf(type)
        .filter((name) => this.naive.version(name, locale, status === 'published'))
      assert.deepEqual(
        mine.map((one) => one.documentId).sort(),
        expected.map((name) => this.ids.get(name)).sort(),
        `${type} ${locale} ${status}`,
      )
      for (const name of expected) {
        const shown = mine.find((one) => one.documentId === this.ids.get(name))
        const version = this.naive.version(name, locale, status === 'published')
        assert.deepEqual(
          [shown?.title, shown?.rank],
          [version?.title, version?.rank],
          `${name} ${locale} ${status}`,
        )
        for (const { attribute, many } of sides) {
          const value: unknown = shown?.[attribute]
          const list: unknown[] = many ? [value].flat() : value === null ? [] : [value]
          const found = list.map((one) =>
            typeof one === 'object' && one && 'documentId' in one ? one.documentId : null,
          )
          const model: List = this.naive.shown(name, attribute, locale, status === 'published')
          const expected = model.names.map((one) => this.ids.get(one))
          assert.deepEqual(
            model.ordered ? found : found.sort(),
            model.ordered ? expected : expected.sort(),
            `${attribute} of ${name} in ${locale}, ${status}`,
          )
        }
      }
    }
  }

  describe('any sequence of writes', () => {
    it('gives the same relations, orders, inverse sides and versions as the naive model', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(command, { minLength: 5, maxLength: 30, size: 'max' }),
          async (commands) => {
            const run = new Run()
            for (const one of BEGINNING) await run.step(one)
            for (const one of commands) {
              await run.step(one)
              await run.compare()
            }
            for (const id of run.ids.values()) {
              for (const type of TYPE_NAMES) await request('DELETE', `/api/${type}s/${id}?locale=*`)
            }
          },
        ),
        { numRuns: RUNS, endOnFailure: process.env.OCTAVO_PROPERTY_SHRINK === undefined },
      )
    })
  })
})
