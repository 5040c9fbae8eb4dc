/** Writes a brotli and a gzip copy beside every file of the build that gets smaller by it. */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const COMPRESSIBLE = /\.(css|js|svg)$/

export function compress(): Plugin {
  let folder = ''
  return {
    name: 'octavo:compress',
    apply: 'build',
    configResolved: ({ root, build }) => {
      folder = join(root, build.outDir)
    },
    async closeBundle() {
      const names = (await readdir(folder, { recursive: true })).filter((name) => COMPRESSIBLE.test(name))
      await Promise.all(names.map((name) => compressFile(join(folder, name))))
    },
  }
}

async function compressFile(path: string) {
  const content = await readFile(path)
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
  const [brotli, gzipped] = await Promise.all([
    promisify(brotliCompress)(content, { params }),
    promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
  ])
  await Promise.all([writeFile(`${path}.br`, brotli), writeFile(`${path}.gz`, gzipped)])
}
