/** Hostile schemas are refused over the network: none is stored, written to a file or executed. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import { onEachEngine } from '../support/engines.ts'
import {
  collection,
  openProject,
  type ProjectServer,
  projectFolder,
  string,
  typeFile,
} from '../support/project-server.ts'

const NAMES = [
  'a"; drop table notes; --',
  "a'); drop table notes; --",
  'a b',
  'a.b',
  'a/b',
  '../x',
  '..',
  'a\u0000b',
  'a\nb',
  '\u202ea',
  'é',
  '😀',
  '$where',
  '',
  '1a',
  '__proto__',
  'a'.repeat(300),
]
/** Valid as the name of a content-type, but not as that of an attribute. */
const RESERVED = ['id', 'documentId', 'createdAt', 'publishedAt', 'locale']

const OPTIONS: readonly object[] = [
  { type: 'string', regex: '(' },
  { type: 'string', regex: '(?<=a+)+$' },
  { type: 'string', regex: '^(a+)+\\1$' },
  { type: 'string', maxLength: -1 },
  { type: 'string', default: { $ne: 1 } },
  { type: 'enumeration', enum: [] },
  { type: 'enumeration', enum: "a'); drop table notes; --" },
  { type: 'relation', relation: 'oneToOne', target: "api::note.note'; --" },
  { type: 'relation', relation: 'manyToEverything', target: 'api::note.note' },
  { type: 'component', component: '../../config/tokens' },
  { type: 'dynamiczone', components: ['__proto__.x'] },
  { type: 'uid', targetField: 'missing' },
  { type: '__proto__' },
  { type: 'constructor' },
  { type: ['string'] },
]

const UIDS = [
  'api::../../x.y',
  'api::a.b/../../c',
  'plugin::upload.file',
  'admin::user.user',
  'api::a"b.a"b',
  'x',
]

onEachEngine((engine) => {
  let project: ProjectServer
  before(async () => {
    const folder = projectFolder({ [typeFile('note')]: collection('note', { text: string }) })
    project = await openProject(folder, await engine.freshUrl())
    await project.request('POST', '/api/notes', { data: { text: 'kept' } })
  })
  after(() => project?.remove())

  const files = () => readdirSync(project.folder, { recursive: true }).map(String).sort()

  const hostile: readonly (readonly [string, unknown])[] = [
    ...[...NAMES, ...RESERVED].map(
      (name) =>
        [
          `the attribute ${JSON.stringify(name)}`,
          { ...collection('trap', JSON.parse(`{${JSON.stringify(name)}:{"type":"string"}}`)) },
        ] as const,
    ),
    ...NAMES.flatMap((name) => [
      [
        `the singular name ${JSON.stringify(name)}`,
        {
          ...collection('trap', { text: string }),
          info: { singularName: name, pluralName: 'traps', displayName: 'x' },
        },
      ] as const,
      [
        `the plural name ${JSON.stringify(name)}`,
        {
          ...collection('trap', { text: string }),
          info: { singularName: 'trap', pluralName: name, displayName: 'x' },
        },
      ] as const,
    ]),
    ...OPTIONS.map(
      (attribute) => [JSON.stringify(attribute), collection('trap', { value: attribute })] as const,
    ),
    ...UIDS.map((uid) => [`the uid ${uid}`, { ...collection('trap', { text: string }), uid }] as const),
  ]

  it(`${hostile.length} hostile schemas are refused with 400, and change nothing`, async () => {
    const before = files()
    const accepted: string[] = []
    for (const [name, data] of hostile) {
      const { status } = await project.adminRequest('POST', '/content-types', { data })
      if (status === 400) continue
      accepted.push(`${name} got ${status}`)
      await project.adminRequest('DELETE', '/content-types/api::trap.trap?confirm=true')
    }
    assert.deepEqual(accepted, [])
    assert.deepEqual(files(), before)
    assert.ok(!existsSync(join(project.folder, '../x')))
    assert.equal((await project.request('GET', '/api/notes')).at('data', 0, 'text'), 'kept')
    assert.equal((await project.request('GET', '/api/traps')).status, 404)
    assert.equal(Reflect.get({}, 'type'), undefined)
  })
})
