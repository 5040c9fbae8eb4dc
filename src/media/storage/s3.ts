/** Files in a bucket of an S3-compatible server. The AWS client is an optional dependency, loaded when it is needed. */
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { messageOf } from '../../errors.ts'
import { boolean, integerBetween, required, section, string } from '../../project/config/setting.ts'
import { StartError } from '../../store/errors.ts'
import { contentTypeOf, servedAs } from '../files/file-types.ts'
import { isStorageKey } from '../files/names.ts'
import { notRead } from './disk-failures.ts'
import {
  CACHE_FOREVER,
  MissingContents,
  type Storage,
  type StorageProvider,
  UPLOADS_PATH,
} from './storage.ts'

/** Credentials come from the environment, as the AWS client finds them, unless given. */
export interface BucketSettings {
  readonly bucket: string
  readonly region: string
  /** Url of an S3-compatible server; absent for AWS. */
  readonly endpoint?: string
  /** Whether the bucket is part of the path instead of the host name, as most S3-compatible servers require. */
  readonly forcePathStyle?: boolean
  readonly accessKeyId?: string
  readonly secretAccessKey?: string
  /** Prepended to every key, such as `media/`. */
  readonly prefix?: string
  /** Where the public reads the bucket, such as a CDN; absent: the bucket's own url. */
  readonly publicUrl?: string
  /** For a private bucket: the number of seconds after which signed urls expire. */
  readonly signedFor?: number
}

/** S3 signs urls for a week at most. */
const LONGEST_SIGNATURE_SECONDS = 604_800

export const s3: StorageProvider<BucketSettings> = {
  settings: section<BucketSettings>(
    {
      bucket: string,
      region: string,
      endpoint: string,
      forcePathStyle: boolean,
      accessKeyId: string,
      secretAccessKey: string,
      prefix: string,
      publicUrl: string,
      signedFor: integerBetween(1, LONGEST_SIGNATURE_SECONDS),
    },
    required('bucket', 'region'),
  ),
  open: (settings) => createS3Storage(settings),
}

/** S3 deletes at most this many objects per request. */
const DELETE_BATCH = 1000

/** The client itself waits forever for a server that does not respond. It tries a request three times. */
const TIMEOUT_MS = 15_000

/** A request fails if nothing is sent or received for `timeoutMs`. */
export async function createS3Storage(config: BucketSettings, timeoutMs = TIMEOUT_MS): Promise<Storage> {
  const { sdk, Upload, getSignedUrl } = await loadClient()
  const { bucket: Bucket, prefix = '', signedFor } = config
  const client = new sdk.S3Client({
    region: config.region,
    forcePathStyle: config.forcePathStyle ?? false,
    // Many S3-compatible servers do not support the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: timeoutMs, socketTimeout: timeoutMs },
    ...(config.endpoint ? { endpoint: config.endpoint } : {}),
    ...(config.accessKeyId && config.secretAccessKey
      ? { credentials: { accessKeyId: config.accessKeyId, secretAccessKey: config.secretAccessKey } }
      : {}),
  })
  const nameOf = (key: string) => {
    if (!isStorageKey(key)) throw new Error(`Invalid storage key: ${key}`)
    return prefix + key
  }
  return {
    name: 's3',
    folder: null,
    // Files of a private bucket are requested from this server, which redirects to a signed url.
    urlOf: (key) => (signedFor ? UPLOADS_PATH + key : `${publicUrl(config)}${pathOf(prefix)}${key}`),
    sign: signedFor
      ? (key) =>
          getSignedUrl(client, new sdk.GetObjectCommand({ Bucket, Key: nameOf(key) }), {
            expiresIn: signedFor,
          }).catch((error: unknown) => {
            // The credentials of a machine or a role are fetched, and may be unavailable.
            throw notRead(error)
          })
      : null,
    async put(key, path) {
      const { download, active } = servedAs(key)
      const upload = new Upload({
        client,
        params: {
          Bucket,
          Key: nameOf(key),
          Body: createReadStream(path),
          ContentType: contentTypeOf(key),
          CacheControl: CACHE_FOREVER,
          ...(download || active ? { ContentDisposition: 'attachment' } : {}),
        },
        leavePartsOnError: false,
      })
      await upload.done()
    },
    async delete(keys) {
      const failures: string[] = []
      for (let start = 0; start < keys.length; start += DELETE_BATCH) {
        const Objects = keys.slice(start, start + DELETE_BATCH).map((key) => ({ Key: nameOf(key) }))
        const { Errors = [] } = await client.send(
          new sdk.DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }),
        )
        // The request itself succeeds, even if objects may not be deleted.
        failures.push(...Errors.map(({ Key, Code }) => `${Key} (${Code})`))
      }
      if (failures.length > 0) throw new Error(`The bucket has not deleted ${failures.join(', ')}`)
    },
    async *list() {
      let after: string | undefined
      do {
        const page = await client.send(
          new sdk.ListObjectsV2Command({
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
      const { Body } = await client
        .send(new sdk.GetObjectCommand({ Bucket, Key: nameOf(key) }))
        .catch((error: unknown) => {
          throw error instanceof sdk.NoSuchKey ? new MissingContents(key, error) : error
        })
      if (!(Body instanceof Readable)) throw new Error(`The bucket returned no content for ${key}`)
      return Body
    },
    async check() {
      try {
        await client.send(new sdk.ListObjectsV2Command({ Bucket, Prefix: prefix, MaxKeys: 1 }))
        return { message: `bucket ${Bucket} is reachable`, remedy: null }
      } catch (failure) {
        return {
          message: `bucket ${Bucket} is unreachable: ${messageOf(failure)}`,
          remedy: 'check region, endpoint and credentials in upload.s3',
        }
      }
    },
    close: () => client.destroy(),
  }
}

/** A prefix in a url. */
const pathOf = (prefix: string) => prefix.split('/').map(encodeURIComponent).join('/')

function publicUrl({ publicUrl, endpoint, forcePathStyle, bucket, region }: BucketSettings): string {
  if (publicUrl) return publicUrl.endsWith('/') ? publicUrl : `${publicUrl}/`
  const base = new URL(endpoint ?? `https://s3.${region}.amazonaws.com`)
  if (forcePathStyle) base.pathname = `${base.pathname.replace(/\/$/, '')}/${bucket}/`
  else base.hostname = `${bucket}.${base.hostname}`
  return base.href.endsWith('/') ? base.href : `${base.href}/`
}

async function loadClient() {
  try {
    const [sdk, { Upload }, { getSignedUrl }] = await Promise.all([
      import('@aws-sdk/client-s3'),
      import('@aws-sdk/lib-storage'),
      import('@aws-sdk/s3-request-presigner'),
    ])
    return { sdk, Upload, getSignedUrl }
  } catch (cause) {
    throw new StartError(
      'upload.s3 requires the AWS client: npm install @aws-sdk/client-s3 @aws-sdk/lib-storage @aws-sdk/s3-request-presigner',
      { cause },
    )
  }
}
