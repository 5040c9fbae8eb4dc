/** History after migrations: saved states are read and restored with the content-types of today. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { onEachEngine } from '../support/engines.ts'
import { collection, component, componentFile, string, typeFile } from '../support/project-server.ts'
import { type MigratedProject, openMigratedProject } from './migrated-project.ts'

const HISTORY = { options: { draftAndPublish: false, history: true } }
const tags = (name: string) => ({
  type: 'relation',
  relation: 'oneToMany',
  target: 'api::tag.tag',
  ...(name && { renamedFrom: name }),
})

const BEFORE = {
  [typeFile('tag')]: collection('tag', { label: string }),
  [typeFile('book')]: collection(
    'book',
    {
      title: string,
      pages: string,
      subtitle: string,
      tags: tags(''),
      cards: { type: 'component', component: 'shared.card', repeatable: true },
    },
    HISTORY,
  ),
  [componentFile('shared.card')]: component('shared.card', { label: string, weight: string, gone: string }),
}

const AFTER = {
  [typeFile('tag')]: collection('tag', { label: string }),
  [typeFile('volume')]: {
    ...collection(
      'volume',
      {
        name: { ...string, renamedFrom: 'title' },
        pages: { type: 'integer' },
        labels: tags('tags'),
        cards: { type: 'component', component: 'shared.card', repeatable: true },
      },
      HISTORY,
    ),
    renamedFrom: 'api::book.book',
  },
  [componentFile('shared.card')]: component('shared.card', {
    text: { ...string, renamedFrom: 'label' },
    weight: { type: 'integer' },
  }),
}

onEachEngine((engine) => {
  const send = async (
    project: MigratedProject,
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    url: string,
    data?: object,
  ) => {
    const response = await project.server().request(method, `/api/${url}`, data && { data })
    assert.ok(response.status < 300, `${url}: ${response.text}`)
    return response.text === '' ? null : JSON.parse(response.text)
  }

  it('renamed, converted and removed attributes, components and content-types', async (t) => {
    const project = await openMigratedProject(t, engine, BEFORE)
    const tag = await project.create('tags', { label: 'tag' })
    const book = await project.create('books', {
      ...{ title: 'Title', pages: '120', subtitle: 'Subtitle', tags: [tag] },
      cards: [{ label: 'Card', weight: '7', gone: 'gone' }],
    })
    await send(project, 'PUT', `books/${book}`, { title: 'Later', pages: 'many', tags: [], cards: [] })
    await project.apply(AFTER, 'everything')
    const list = await send(project, 'GET', `volumes/${book}/history`)
    const [later, first] = list.data.map(({ version }: { version: number }) => version)
    const { data, meta } = await send(project, 'GET', `volumes/${book}/history/${first}?populate=*`)
    assert.deepEqual([data.name, data.pages, data.labels[0].label], ['Title', 120, 'tag'])
    assert.deepEqual([data.cards[0].text, data.cards[0].weight, data.cards[0].gone], ['Card', 7, undefined])
    assert.deepEqual(meta.removed, { subtitle: 'Subtitle' })
    const unconverted = await send(project, 'GET', `volumes/${book}/history/${later}`)
    assert.deepEqual([unconverted.data.pages, unconverted.meta.removed.pages], [null, 'many'])
    const { data: changes } = await send(project, 'GET', `volumes/${book}/history/${later}/changes`)
    assert.deepEqual(changes[0], { path: ['name'], kind: 'changed', before: 'Title', after: 'Later' })
    const restored = await send(project, 'POST', `volumes/${book}/history/${first}/restore?populate=*`)
    assert.deepEqual(
      [restored.data.name, restored.data.pages, restored.data.labels.length, restored.data.cards[0].text],
      ['Title', 120, 1, 'Card'],
    )
    assert.deepEqual(
      restored.meta.notRestored.map(({ path }: { path: string[] }) => path),
      [['subtitle'], ['cards']],
    )
  })

  it('components, entries and relations that a migration removed are listed when a state is restored', async (t) => {
    const card = { type: 'component', component: 'shared.card' }
    const cards = { ...card, repeatable: true }
    const zone = { type: 'dynamiczone', components: ['shared.card', 'shared.quote'] }
    const relation = { type: 'relation', relation: 'oneToMany', target: 'api::tag.tag' }
    const files = (attributes: object) => ({
      ...BEFORE,
      [typeFile('book')]: collection('book', attributes, HISTORY),
      [componentFile('shared.quote')]: component('shared.quote', { text: string }),
    })
    const kept = { title: string, pages: string, kept: cards, keptTags: relation }
    const removed = { card, cards, zone, tags: relation, books: relation }
    const project = await openMigratedProject(t, engine, files({ ...kept, ...removed }))
    const [tag, other] = [
      await project.create('tags', { label: 'tag' }),
      await project.create('tags', { label: 'other' }),
    ]
    const book = await project.create('books', {
      ...{ title: 'Title', pages: 'many', kept: [{ label: 'a' }, { label: 'b' }], keptTags: [tag, other] },
      ...{ card: { label: 'c' }, cards: [{ label: 'd' }, { label: 'e' }], tags: [tag], books: [other] },
      zone: [
        { __component: 'shared.card', label: 'f' },
        { __component: 'shared.quote', text: 'g' },
      ],
    })
    const narrowed = { ...zone, components: ['shared.quote'] }
    const retargeted = { ...relation, target: 'api::book.book' }
    await project.apply(
      files({ ...kept, pages: { type: 'integer' }, cards: card, zone: narrowed, books: retargeted }),
      'everything',
    )
    const [first] = (await send(project, 'GET', `books/${book}/history`)).data
    const restored = await send(project, 'POST', `books/${book}/history/${first.version}/restore?populate=*`)
    assert.deepEqual([restored.data.kept.length, restored.data.keptTags.length], [2, 2])
    assert.deepEqual(restored.meta.notRestored.map(({ message }: { message: string }) => message).sort(), [
      'books was not restored completely: content-types have changed since then',
      'card was not restored: book no longer has this attribute',
      'cards was not restored completely: content-types have changed since then',
      'pages was not restored: its value could not be converted',
      'tags was not restored: book no longer has this attribute',
      'zone was not restored completely: content-types have changed since then',
    ])
  })

  it('a content-type that is removed and one of the same name later have nothing in common', async (t) => {
    const project = await openMigratedProject(t, engine, BEFORE)
    const book = await project.create('books', { title: 'Old' })
    await send(project, 'DELETE', `books/${book}`)
    const { [typeFile('book')]: _removed, ...without } = BEFORE
    await project.apply(without, 'everything')
    await project.apply(BEFORE, 'everything')
    assert.deepEqual((await send(project, 'GET', 'books/deleted')).data, [])
  })
})
