/** Files in a bucket of an S3-compatible server, through the official client. The client is loaded when it is needed. */
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import type { BucketConfig } from '../../project/config/config.ts'
import { StartError } from '../../store/errors.ts'
import { servedAs } from '../files/file-types.ts'
import { isStorageKey } from '../files/names.ts'
import { UPLOADS_PATH } from './disk.ts'
import type { Storage } from './storage.ts'

/** Names stand for the same bytes for ever, so whoever has a file need not ask for it again. */
export const CACHE_FOREVER = 'public, max-age=31536000, immutable'

const REMOVED_AT_A_TIME = 1000

/** Storage in a bucket; a private one hands out signed addresses. */
export async function createS3Storage(config: BucketConfig): Promise<Storage> {
  const { s3, Upload, getSignedUrl } = await loadClient()
  const { bucket: Bucket, prefix = '', signedFor } = config
  const client = new s3.S3Client({
    region: config.region,
    forcePathStyle: config.forcePathStyle ?? false,
    // Compatible servers often know no other checksums than the signature's.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(config.endpoint ? { endpoint: config.endpoint } : {}),
    ...(config.accessKeyId && config.secretAccessKey
      ? { credentials: { accessKeyId: config.accessKeyId, secretAccessKey: config.secretAccessKey } }
      : {}),
  })
  const nameOf = (key: string) => {
    if (!isStorageKey(key)) throw new Error(`Not a name of a stored file: ${key}`)
    return prefix + key
  }
  return {
    provider: 's3',
    // A private bucket is read through this server, which sends the reader on to a signed address.
    urlOf: (key) => (signedFor ? UPLOADS_PATH + key : `${publicUrl(config)}${prefix}${key}`),
    sign: signedFor
      ? (key) =>
          getSignedUrl(client, new s3.GetObjectCommand({ Bucket, Key: nameOf(key) }), {
            expiresIn: signedFor,
          })
      : null,
    async put(key, path) {
      const { mime, download, active } = servedAs(key)
      const upload = new Upload({
        client,
        params: {
          Bucket,
          Key: nameOf(key),
          Body: createReadStream(path),
          ContentType: mime.startsWith('text/') ? `${mime}; charset=utf-8` : mime,
          CacheControl: CACHE_FOREVER,
          ...(download || active ? { ContentDisposition: 'attachment' } : {}),
        },
        leavePartsOnError: false,
      })
      await upload.done()
    },
    async remove(keys) {
      for (let start = 0; start < keys.length; start += REMOVED_AT_A_TIME) {
        const Objects = keys.slice(start, start + REMOVED_AT_A_TIME).map((key) => ({ Key: nameOf(key) }))
        await client.send(new s3.DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }))
      }
    },
    async *list() {
      let after: string | undefined
      do {
        const page = await client.send(
          new s3.ListObjectsV2Command({
            Bucket,
            Prefix: prefix,
            ...(after ? { ContinuationToken: after } : {}),
          }),
        )
        for (const { Key, LastModified } of page.Contents ?? []) {
          const key = Key?.slice(prefix.length) ?? ''
          if (isStorageKey(key) && LastModified) yield { key, modifiedAt: LastModified }
        }
        after = page.IsTruncated ? page.NextContinuationToken : undefined
      } while (after)
    },
    async read(key) {
      const { Body } = await client.send(new s3.GetObjectCommand({ Bucket, Key: nameOf(key) }))
      if (!(Body instanceof Readable)) throw new Error(`The bucket has no content for ${key}`)
      return Body
    },
    close: () => client.destroy(),
  }
}

/** The address that the names of a public bucket follow. */
function publicUrl({ publicUrl, endpoint, forcePathStyle, bucket, region }: BucketConfig): string {
  if (publicUrl) return publicUrl.endsWith('/') ? publicUrl : `${publicUrl}/`
  const base = new URL(endpoint ?? `https://s3.${region}.amazonaws.com`)
  if (forcePathStyle) base.pathname = `${base.pathname.replace(/\/$/, '')}/${bucket}/`
  else base.hostname = `${bucket}.${base.hostname}`
  return base.href.endsWith('/') ? base.href : `${base.href}/`
}

async function loadClient() {
  try {
    const [s3, { Upload }, { getSignedUrl }] = await Promise.all([
      import('@aws-sdk/client-s3'),
      import('@aws-sdk/lib-storage'),
      import('@aws-sdk/s3-request-presigner'),
    ])
    return { s3, Upload, getSignedUrl }
  } catch (cause) {
    throw new StartError(
      'Files in a bucket need the AWS client: npm install @aws-sdk/client-s3 @aws-sdk/lib-storage @aws-sdk/s3-request-presigner',
      { cause },
    )
  }
}
