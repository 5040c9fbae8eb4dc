/** The size of the JavaScript that a browser loads until the first list can be used. */
import { gzipSync } from 'node:zlib'
import type { Plugin, Rollup } from 'vite'

/** In bytes, compressed with gzip. */
const FIRST_LOAD_LIMIT = 300_000

/** The lazily loaded modules of the first list, beside the entry. */
const FIRST_LIST = ['src/content/type-screen.tsx', 'src/shell/shell.tsx']

/** Prints the size after every build, and fails a build that exceeds the limit. */
export function firstLoad(): Plugin {
  return {
    name: 'octavo:first-load',
    apply: 'build',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
      const size = sizeOf(chunks)
      const text = `JavaScript until the first list is usable: ${(size / 1000).toFixed(0)} kB (gzip), limit ${FIRST_LOAD_LIMIT / 1000} kB`
      if (size > FIRST_LOAD_LIMIT) this.error(text)
      else this.info(text)
    },
  }
}

function sizeOf(chunks: readonly Rollup.OutputChunk[]): number {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const isFirst = ({ isEntry, facadeModuleId }: Rollup.OutputChunk) =>
    isEntry || FIRST_LIST.some((module) => facadeModuleId?.endsWith(module))
  const loaded = new Set<Rollup.OutputChunk>()
  const load = (chunk: Rollup.OutputChunk | undefined) => {
    if (!chunk || loaded.has(chunk)) return
    loaded.add(chunk)
    for (const name of chunk.imports) load(byName.get(name))
  }
  for (const chunk of chunks) if (isFirst(chunk)) load(chunk)
  return [...loaded].reduce((sum, { code }) => sum + gzipSync(code).length, 0)
}
