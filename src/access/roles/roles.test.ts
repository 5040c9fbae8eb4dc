import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEachEngine } from '../../../test/support/engines.ts'
import { openProject, type ProjectServer, projectFolder } from '../../../test/support/project-server.ts'
import { createAuditLog } from '../../events/audit/append.ts'
import { createRoles } from './roles.ts'

onEachEngine((engine) => {
  let project: ProjectServer
  before(async () => {
    project = await openProject(projectFolder({}), await engine.freshUrl())
  })
  after(() => project?.remove())

  it('a process that does not know of a role yet which another one has created goes on with it', async () => {
    const { store, layout, documents, access } = project.server
    const late = createRoles({
      ...{ layout, documents, audit: createAuditLog(store, { enabled: false }) },
      store: { ...store, tableVersion: () => 0 },
    })
    const known = await late.types()
    await access.roles.create({ type: 'reviewer', name: 'Reviewer', description: null })
    await late.createMissing(['reviewer'])
    assert.deepEqual((await access.roles.types()).toSorted(), [...known, 'reviewer'].toSorted())
  })
})
