/** Migrations of components: their entries are converted at any depth, in every content-type that has them. */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { onEachEngine } from '../support/engines.ts'
import { collection, component, componentFile, string, typeFile } from '../support/project-server.ts'
import { openMigratedProject, summarize } from './migrated-project.ts'

const person = { type: 'relation', relation: 'oneToOne', target: 'api::person.person' }

/** Entries of a leaf are in a list, in a zone, and in a branch in both. */
const schemaFiles = (leaf: object, branch: object = {}, leafUid = 'shared.leaf') => ({
  [typeFile('person')]: collection('person', { name: string }),
  [typeFile('page')]: collection('page', {
    leaves: { type: 'component', component: leafUid, repeatable: true },
    zone: { type: 'dynamiczone', components: [leafUid, 'shared.branch'] },
  }),
  [typeFile('post')]: collection('post', { branch: { type: 'component', component: 'shared.branch' } }),
  [componentFile(leafUid)]: component(leafUid, leaf),
  [componentFile('shared.branch')]: component('shared.branch', {
    title: string,
    inner: { type: 'component', component: leafUid, repeatable: true },
    ...branch,
  }),
})

onEachEngine((engine) => {
  async function open(t: TestContext, leaf: object, entry: (ann: string) => object, leafUid = 'shared.leaf') {
    const project = await openMigratedProject(t, engine, schemaFiles(leaf, {}, leafUid))
    const ann = await project.create('persons', { name: 'Ann' })
    const page = await project.create('pages', {
      leaves: [entry(ann), {}],
      zone: [
        { __component: leafUid, ...entry(ann) },
        { __component: 'shared.branch', title: 'T', inner: [entry(ann)] },
      ],
    })
    const post = await project.create('posts', { branch: { title: 'B', inner: [entry(ann), entry(ann)] } })
    const uid = (name: string) => ({
      page: `/api/pages/${page}?populate[leaves][populate]=*&populate[zone][on][${name}][populate]=*&populate[zone][on][shared.branch][populate][inner][populate]=*`,
      post: `/api/posts/${post}?populate[branch][populate][inner][populate]=*`,
    })
    /** All leaves, wherever they are. */
    const leaves = async (name = leafUid): Promise<Record<string, unknown>[]> => {
      const urls = uid(name)
      const shown = Object(await project.data(urls.page))
      const other = Object(await project.data(urls.post))
      return [...shown.leaves, shown.zone[0], ...shown.zone[1].inner, ...other.branch.inner]
    }
    return { ...project, ann, page, post, leaves }
  }

  const without = (entries: readonly Record<string, unknown>[], ...names: readonly string[]) =>
    entries.map((entry) =>
      Object.fromEntries(Object.entries(entry).filter(([name]) => !names.includes(name))),
    )

  describe('a component', () => {
    it('gets a new attribute and another order of attributes', async (t) => {
      const project = await open(t, { a: string, b: string }, () => ({ a: 'x', b: 'y' }))
      const was = await project.leaves()
      const plan = await project.apply(
        schemaFiles({ b: string, more: { type: 'integer', default: 3 }, a: string }),
      )
      assert.deepEqual(summarize(plan), ['addAttribute safe 2'])
      const is = await project.leaves()
      assert.deepEqual(Object.keys(is[0] ?? {}), ['id', 'documentId', 'b', 'more', 'a'])
      assert.deepEqual(without(is, 'more', '__component'), without(was, '__component'))
      assert.ok(is.every(({ more }) => more === null))
    })

    it('keeps its entries and their relations when it is renamed', async (t) => {
      const leaf = { a: string, who: person, hidden: { ...string, private: true } }
      const project = await open(t, leaf, (ann) => ({ a: 'x', who: ann }))
      const was = await project.leaves()
      const files = schemaFiles(leaf, {}, 'parts.petal')
      const renamed = { ...component('parts.petal', leaf), renamedFrom: 'shared.leaf' }
      const plan = await project.apply({ ...files, [componentFile('parts.petal')]: renamed })
      assert.deepEqual(summarize(plan), ['renameComponent safe 2'])
      const is = await project.leaves('parts.petal')
      assert.deepEqual(without(is, '__component'), without(was, '__component'))
      assert.equal(is[2]?.__component, 'parts.petal')
      assert.deepEqual(await project.backups(), [])
    })

    it('keeps values, relations and nested entries when its attributes are renamed', async (t) => {
      const project = await open(t, { a: string, who: person }, (ann) => ({ a: 'x', who: ann }))
      const was = await project.leaves()
      const next = { label: { ...string, renamedFrom: 'a' }, author: { ...person, renamedFrom: 'who' } }
      const files = schemaFiles(next)
      const branch = component('shared.branch', {
        title: string,
        below: { type: 'component', component: 'shared.leaf', repeatable: true, renamedFrom: 'inner' },
      })
      const plan = await project.apply({ ...files, [componentFile('shared.branch')]: branch })
      assert.deepEqual(summarize(plan), Array(3).fill('renameAttribute safe 2'))
      const post = Object(
        await project.data(`/api/posts/${project.post}?populate[branch][populate][below][populate]=*`),
      )
      const [entry] = post.branch.below
      const before = was.at(-1)
      assert.deepEqual([entry.label, entry.author], [before?.a, before?.who])
      assert.equal(post.branch.below.length, 2)
      assert.deepEqual(await project.backups(), [])
    })

    it('loses attributes on confirmation, and their content is backed up', async (t) => {
      const project = await open(t, { a: string, b: string, who: person }, (ann) => ({
        a: 'x',
        b: 'y',
        who: ann,
      }))
      const was = await project.leaves()
      const plan = await project.confirm(
        schemaFiles({ a: string }),
        /component shared.leaf, attribute b: deleted.*2 documents.*component shared.leaf, attribute who: deleted/s,
      )
      assert.deepEqual(summarize(plan), ['dropAttribute lossy 2', 'dropAttribute lossy 5'])
      assert.deepEqual(await project.leaves(), without(was, 'b', 'who'))
      assert.deepEqual(await project.backups(), [
        'column: api::page.page, attribute leaves',
        'column: api::page.page, attribute zone',
        'column: api::post.post, attribute branch',
        'edges: shared.leaf, attribute who',
        'edges: shared.leaf, attribute who',
      ])
      await project.apply(schemaFiles({ a: string, b: string, who: person }))
      assert.ok((await project.leaves()).every(({ b, who }) => b === null && who === null))
    })

    it('has its values converted, and the plan lists documents that lose something', async (t) => {
      const project = await open(t, { n: string, flag: { type: 'boolean' } }, () => ({ n: '12', flag: true }))
      assert.deepEqual(
        summarize(await project.apply(schemaFiles({ n: { type: 'integer' }, flag: string }))),
        ['convertValues safe 2', 'convertValues safe 2', 'tightenRules safe 2', 'tightenRules safe 2'],
      )
      const values = (await project.leaves()).map(({ n, flag }) => [n, flag])
      assert.deepEqual(values[0], [12, 'true'])
      assert.deepEqual(await project.backups(), [])
      const plan = await project.confirm(
        schemaFiles({ n: { type: 'date' }, flag: string }),
        /component shared.leaf, attribute n: converted from integer to date.*2 documents/,
      )
      assert.equal(summarize(plan)[0], 'convertValues lossy 2')
      assert.ok((await project.leaves()).every(({ n }) => n === null))
      assert.equal((await project.backups()).length, 3)
    })

    it('leaves its entries unchanged when its rules become stricter', async (t) => {
      const project = await open(t, { a: string }, () => ({ a: 'long text' }))
      const was = await project.leaves()
      const plan = await project.apply(schemaFiles({ a: { ...string, required: true, maxLength: 2 } }))
      assert.deepEqual(summarize(plan), ['tightenRules notice 2', 'require notice 2'])
      assert.deepEqual(plan[0]?.documents, [project.page, project.post].sort())
      assert.deepEqual(plan[1]?.documents, [project.page])
      assert.deepEqual(await project.leaves(), was)
    })

    it('with a newly unique attribute leaves its entries unchanged, and the plan lists documents whose entries share a value', async (t) => {
      const project = await open(t, { a: string }, () => ({ a: 'same' }))
      const single = await project.create('posts', { branch: { inner: [{ a: 'same' }, { a: 'other' }, {}] } })
      const was = await project.leaves()
      const plan = await project.apply(schemaFiles({ a: { ...string, unique: true } }))
      assert.deepEqual(summarize(plan), ['makeUnique notice 3'])
      assert.deepEqual(plan[0]?.documents, [project.page, project.post].sort())
      assert.match(plan[0]?.description ?? '', /becomes unique; entries share a value in 2 documents/)
      assert.deepEqual(await project.leaves(), was)
      const edited = await project.server().request('PUT', `/api/posts/${project.post}`, { data: {} })
      assert.equal(edited.status, 400, edited.text)
      assert.equal((await project.server().request('PUT', `/api/posts/${single}`, { data: {} })).status, 200)
    })

    it('is added together with a content-type, and existing responses stay identical', async (t) => {
      const project = await open(t, { a: string }, () => ({ a: 'x' }))
      const urls = ['/api/pages?populate=*', '/api/posts?populate=*', '/api/persons']
      const was = await Promise.all(urls.map(project.get))
      const plan = await project.apply({
        ...schemaFiles({ a: string }),
        [componentFile('shared.fresh')]: component('shared.fresh', { label: string }),
        [typeFile('item')]: collection('item', { parts: { type: 'component', component: 'shared.fresh' } }),
      })
      assert.deepEqual(summarize(plan), ['addComponent safe 0', 'addType safe 0'])
      assert.deepEqual(await Promise.all(urls.map(project.get)), was)
      await project.create('items', { parts: { label: 'new' } })
    })

    it('keeps the values of an attribute that becomes private and public again', async (t) => {
      const project = await open(t, { a: string, b: { type: 'json' } }, () => ({ a: 'x', b: { k: [1] } }))
      const was = await project.leaves()
      await project.apply(
        schemaFiles({ a: { ...string, private: true }, b: { type: 'json', private: true } }),
      )
      assert.deepEqual(await project.leaves(), without(was, 'a', 'b'))
      await project.apply(schemaFiles({ a: string, b: { type: 'json' } }))
      assert.deepEqual(await project.leaves(), was)
    })

    it('is dropped when nothing uses it', async (t) => {
      const project = await openMigratedProject(t, engine, {
        [typeFile('page')]: collection('page', { text: string }),
        [componentFile('shared.leaf')]: component('shared.leaf', { a: string }),
      })
      const page = { [typeFile('page')]: collection('page', { text: string }) }
      const plan = await project.confirm(page, /component shared.leaf: deleted/)
      assert.deepEqual(summarize(plan), ['dropComponent empty 0'])
    })
  })
})
