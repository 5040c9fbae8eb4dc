/** A registry for npm on this machine, with the packages that are installed in this checkout: tests install without a network. */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import path from 'node:path'

const ROOT = path.resolve(import.meta.dirname, '../..')

interface InstalledPackage {
  readonly folder: string
  readonly manifest: { readonly name: string; readonly version: string }
}

export interface Registry {
  readonly url: string
  close(): void
}

export async function startRegistry(): Promise<Registry> {
  const packages = installedPackages()
  let url = ''
  const server = createServer((request, response) => {
    const [name = '', version] = decodeURIComponent(request.url ?? '/')
      .slice(1)
      .split('/-/')
    const versions = packages.filter(({ manifest }) => manifest.name === name)
    const one = versions.find(({ manifest }) => manifest.version === version)
    if (one) return sendArchive(one.folder, response)
    // Such as the builds of sharp for other platforms, which npm then leaves out.
    if (versions.length === 0) return response.writeHead(404).end('{}')
    const described = versions.map(({ manifest }) => [
      manifest.version,
      { ...manifest, dist: { tarball: `${url}/${name}/-/${manifest.version}` } },
    ])
    response.end(JSON.stringify({ name, 'dist-tags': {}, versions: Object.fromEntries(described) }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  return {
    url,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

function installedPackages(): InstalledPackage[] {
  const modules = path.join(ROOT, 'node_modules')
  const { packages } = JSON.parse(readFileSync(path.join(modules, '.package-lock.json'), 'utf8'))
  return Object.keys(packages).flatMap((location) => {
    const folder = path.join(ROOT, location)
    const file = path.join(folder, 'package.json')
    return existsSync(file) ? [{ folder, manifest: JSON.parse(readFileSync(file, 'utf8')) }] : []
  })
}

/** npm strips the first folder of an archive, whatever its name. */
function sendArchive(folder: string, response: ServerResponse): void {
  const name = path.basename(folder)
  const tar = spawn('tar', ['-c', '--exclude', `${name}/node_modules`, '-C', path.dirname(folder), name])
  tar.stdout.pipe(response)
}
