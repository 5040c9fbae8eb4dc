import assert from 'node:assert/strict'
import { ChildProcess } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { gifAndScript } from '../../../test/media/hostile-files.ts'
import { plain } from '../../../test/media/test-images.ts'
import { waitUntil } from '../../../test/support/wait-until.ts'
import { defaults } from '../../project/config/defaults.ts'
import { createStaging } from '../storage/staging.ts'
import { createImageQueue } from './image-queue.ts'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'octavo-images-'))
})
after(() => rm(folder, { recursive: true }))

const PNG = { mime: 'image/png', ext: '.png' }

async function staged(content: Uint8Array) {
  const stage = createStaging(folder).open()
  const path = stage.reserve()
  await writeFile(path, content)
  return { stage, received: { path, size: (await stat(path)).size } }
}

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('images are processed in a child process, which exits when idle', async () => {
  const images = createImageQueue(defaults.upload.images)
  const { stage, received } = await staged(await plain(600, 400).png().toBuffer())
  const { width, height, formats } = await images.process(received, PNG, 'a.png', stage)
  assert.deepEqual([width, height, formats.length], [600, 400, 2])
  const { pid = 0 } = images
  assert.ok(pid !== process.pid && isRunning(pid))
  images.close()
  await waitUntil(() => !isRunning(pid))
})

test('errors of the child process are passed on', async () => {
  const images = createImageQueue(defaults.upload.images)
  const { stage, received } = await staged(gifAndScript)
  const type = { mime: 'image/gif', ext: '.gif' }
  await assert.rejects(images.process(received, type, 'a.gif', stage), { name: 'ValidationError' })
  images.close()
})

test('after a crash of the decoder the image is retried in a new process', async () => {
  const images = createImageQueue(defaults.upload.images)
  const { stage, received } = await staged(await plain(600, 400).png().toBuffer())
  const working = images.process(received, PNG, 'a.png', stage)
  await waitUntil(() => images.pid !== undefined)
  process.kill(Number(images.pid), 'SIGSEGV')
  assert.equal((await working).width, 600)
  images.close()
})

test('an image that always crashes the decoder is rejected', async () => {
  const images = createImageQueue(defaults.upload.images)
  const { stage, received } = await staged(await plain(600, 400).png().toBuffer())
  const crash = (message: unknown) => {
    const started = Reflect.get(Object(message), 'process')
    if (started instanceof ChildProcess) started.once('spawn', () => started.kill('SIGSEGV'))
  }
  subscribe('child_process', crash)
  const working = images.process(received, PNG, 'a.png', stage)
  await assert
    .rejects(working, { name: 'ValidationError' })
    .finally(() => unsubscribe('child_process', crash))
  images.close()
})
