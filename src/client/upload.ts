/** Uploads: the form, and progress where the platform reports it. */

export interface FileInfo {
  readonly name?: string
  readonly alternativeText?: string | null
  readonly caption?: string | null
  readonly focalPoint?: { readonly x: number; readonly y: number } | null
  readonly folder?: string
}

/** Called with the bytes sent so far and in all. */
export type OnProgress = (sent: number, total: number) => void

/** What browsers have. The types of the DOM would declare much more, for every platform. */
interface BrowserRequest {
  readonly status: number
  readonly responseText: string
  readonly upload: { onprogress: (event: { readonly loaded: number }) => void }
  onload: () => void
  onerror: () => void
  onabort: () => void
  open(method: string, url: string): void
  setRequestHeader(name: string, value: string): void
  getAllResponseHeaders(): string
  send(body: FormData | null): void
  abort(): void
}

declare const XMLHttpRequest: (new () => BrowserRequest) | undefined

export function uploadForm(
  files: Blob | readonly Blob[],
  info: FileInfo | readonly FileInfo[] = [],
): FormData {
  const form = new FormData()
  const infos = Array.isArray(info) ? info : [info]
  if (infos.length > 0) form.append('fileInfo', JSON.stringify(infos))
  for (const file of files instanceof Blob ? [files] : files) form.append('files', file)
  return form
}

/**
 * A `fetch` that reports the progress of its body. Browsers report it only for XMLHttpRequest; where there is none, such as
 * in Node, progress is reported once, at the end.
 */
export function fetchWithProgress(send: typeof fetch, onProgress: OnProgress, total: number): typeof fetch {
  const Request = typeof XMLHttpRequest === 'undefined' ? undefined : XMLHttpRequest
  if (Request === undefined)
    return async (input, init) => {
      const response = await send(input, init)
      onProgress(total, total)
      return response
    }
  return (input, init) =>
    new Promise((resolve, reject) => {
      const request = new Request()
      request.open(init?.method ?? 'GET', String(input))
      for (const [name, value] of new Headers(init?.headers)) request.setRequestHeader(name, value)
      request.upload.onprogress = ({ loaded }) => onProgress(Math.min(loaded, total), total)
      request.onload = () => {
        onProgress(total, total)
        resolve(
          new Response(request.responseText || null, { status: request.status, headers: headersOf(request) }),
        )
      }
      request.onerror = () => reject(new TypeError('The upload failed: the server could not be reached'))
      const { signal } = init ?? {}
      request.onabort = () => reject(signal?.reason)
      signal?.addEventListener('abort', () => request.abort(), { once: true })
      request.send(init?.body instanceof FormData ? init.body : null)
    })
}

function headersOf(request: BrowserRequest): Headers {
  const headers = new Headers()
  for (const line of request
    .getAllResponseHeaders()
    .trim()
    .split(/[\r\n]+/)) {
    const at = line.indexOf(':')
    if (at > 0) headers.append(line.slice(0, at), line.slice(at + 1).trim())
  }
  return headers
}

export const sizeOf = (files: Blob | readonly Blob[]): number =>
  (files instanceof Blob ? [files] : files).reduce((total, { size }) => total + size, 0)
