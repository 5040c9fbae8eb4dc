import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { UploadOptions } from '../../api/media.ts'
import type { MediaFile } from '../../api/types.ts'
import { createUploadQueue } from './upload-queue.ts'

const stored: MediaFile = {
  ...{ id: 1, documentId: 'a', name: 'a', alternativeText: null, caption: null, width: null, height: null },
  ...{ formats: null, ext: '.txt', mime: 'text/plain', size: 1, url: '/uploads/a.txt' },
}

/** A queue whose uploads end when the test says so. */
function queueOf(refusalOf?: (file: File) => string | null) {
  const sent: {
    readonly name: string
    readonly options: UploadOptions
    readonly resolve: (file: MediaFile) => void
    readonly reject: (error: Error) => void
  }[] = []
  let uploaded = 0
  const queue = createUploadQueue({
    ...(refusalOf && { refusalOf }),
    onUploaded: () => {
      uploaded += 1
    },
    messageOf: (error) => (error instanceof Error ? error.message : ''),
    send: (file, options) => {
      const { promise, resolve, reject } = Promise.withResolvers<MediaFile>()
      options.signal?.addEventListener('abort', () => reject(new Error('aborted')))
      sent.push({ name: file.name, options, resolve, reject })
      return promise
    },
  })
  const states = () => queue.uploads.map(({ state }) => state)
  return { queue, sent, states, uploaded: () => uploaded }
}

const files = (count: number) => Array.from({ length: count }, (_, index) => new File(['x'], `${index}.txt`))

test('three files are uploaded at a time, and the next one when one has ended', async () => {
  const { queue, sent, states, uploaded } = queueOf()
  queue.add(files(5), '/trip')
  assert.deepEqual(states(), ['uploading', 'uploading', 'uploading', 'waiting', 'waiting'])
  assert.deepEqual(sent[0]?.options.folder, '/trip')
  sent[1]?.resolve(stored)
  await setImmediate()
  assert.deepEqual(states(), ['uploading', 'done', 'uploading', 'uploading', 'waiting'])
  assert.equal(uploaded(), 1)
})

test('a cancelled upload is aborted and does not become a failure', async () => {
  const { queue, sent, states } = queueOf()
  queue.add(files(4), '/')
  queue.cancel(1)
  queue.cancel(4)
  await setImmediate()
  assert.equal(sent[0]?.options.signal?.aborted, true)
  assert.deepEqual(states(), ['cancelled', 'uploading', 'uploading', 'cancelled'])
  assert.equal(sent.length, 3, 'the last one was never sent')
  queue.retry(4)
  assert.deepEqual([sent.length, sent[3]?.name], [4, '3.txt'])
})

test('a failed upload says why, and can be tried again', async () => {
  const { queue, sent, states } = queueOf()
  queue.add(files(1), '/')
  sent[0]?.options.onProgress?.(0.5)
  assert.equal(queue.uploads[0]?.progress, 0.5)
  sent[0]?.reject(new Error('The disk is full'))
  await setImmediate()
  assert.deepEqual([states(), queue.uploads[0]?.error], [['failed'], 'The disk is full'])
  queue.retry(1)
  sent[1]?.resolve(stored)
  await setImmediate()
  assert.deepEqual([states(), queue.uploads[0]?.error], [['done'], null])
  queue.clear()
  assert.deepEqual(states(), [])
})

test('waiting for the uploads ends when all have ended, and fails with one that failed', async () => {
  const { queue, sent, uploaded } = queueOf()
  await queue.settled()
  queue.add(files(2), '/')
  const settled = queue.settled().then(uploaded)
  sent[0]?.resolve(stored)
  sent[1]?.resolve(stored)
  assert.equal(await settled, 2)
  queue.add(files(1), '/')
  const failing = queue.settled()
  sent[2]?.reject(new Error('The disk is full'))
  await assert.rejects(failing, /0\.txt: The disk is full/)
})

test('a file that the server would refuse is not sent', () => {
  const { queue, sent, states } = queueOf(() => 'Too large')
  queue.add(files(1), '/')
  assert.deepEqual([states(), sent.length, queue.uploads[0]?.error], [['failed'], 0, 'Too large'])
})
