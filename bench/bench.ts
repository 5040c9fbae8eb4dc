/**
 * The benchmark; `npm run bench -- --help` lists its options. `parts/` measures and `report/` formats. Results are
 * written to `bench/results/`, and those of a complete run also to docs/performance.md.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CONNECTIONS } from './load.ts'
import { openBench } from './measure.ts'
import { HELP, isUsage, type Options, optionsOf, type Part } from './options.ts'
import { measureAdmin } from './parts/admin.ts'
import { measureAgainst } from './parts/against.ts'
import { measureChanges } from './parts/changes.ts'
import { measureGrowth } from './parts/growth.ts'
import { measureIndexes } from './parts/indexes.ts'
import { measureSearch } from './parts/search.ts'
import { measureStart } from './parts/start.ts'
import { measureWorkloads } from './parts/workloads.ts'
import { rewriteDocs } from './report/page.ts'
import { machine, type Results } from './results.ts'
import { adminVerdicts, changeVerdicts, lineOf, searchVerdicts, verdictsOf } from './targets.ts'

try {
  const options = optionsOf(process.argv.slice(2), availableParallelism())
  if (options) await run(options)
  else console.log(HELP)
} catch (error) {
  if (!isUsage(error)) throw error
  process.exitCode = 1
  console.error(`${error.message}\n\n${HELP}`)
}

async function run(options: Options): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-bench-'))
  const bench = await openBench(folder, options)
  try {
    const { rounds, targetRounds, seconds, against } = options
    const has = (part: Part) => options.parts.includes(part)
    console.log(
      `load from ${bench.generator.name}, ${CONNECTIONS} connections, ${rounds} rounds of ${seconds} s each (${targetRounds} where a target is set)`,
    )
    const results: Results = {
      day: new Date().toISOString().slice(0, 10),
      version: versionOf(),
      machine: machine(),
      generator: bench.generator.name,
      connections: CONNECTIONS,
      rounds,
      targetRounds,
      seconds,
      // Measured first, while the machine is idle.
      ...(has('start') && { start: await measureStart(options, folder) }),
      ...(has('workloads') && {
        workloads: await (against ? measureAgainst(bench, against) : measureWorkloads(bench, folder)),
      }),
      ...(has('changes') && { changes: await measureChanges(bench, folder) }),
      ...(has('indexes') && { indexes: await measureIndexes(options, folder) }),
      ...(has('search') && { search: await measureSearch(bench, folder) }),
      ...(has('admin') && { admin: await measureAdmin(options, folder) }),
      ...(has('growth') && { growth: await measureGrowth(bench, folder) }),
    }
    for (const verdict of allVerdicts(results)) console.log(lineOf(verdict))
    keep(results, options)
  } finally {
    await bench.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

function allVerdicts(results: Results) {
  return [
    ...verdictsOf(results),
    ...changeVerdicts(results),
    ...searchVerdicts(results),
    ...adminVerdicts(results),
  ]
}

function versionOf(): string {
  const { version }: { version: string } = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  )
  return version
}

function keep(results: Results, { json, isComplete, docs }: Options): void {
  const name = `${results.day}${isComplete ? '' : '-partial'}.json`
  const file = json ?? fileURLToPath(new URL(`results/${name}`, import.meta.url))
  mkdirSync(new URL('results/', import.meta.url), { recursive: true })
  writeFileSync(file, `${JSON.stringify({ ...results, verdicts: allVerdicts(results) }, null, 2)}\n`)
  console.log(`\nwritten to ${file}`)
  if (isComplete || docs) console.log(`rewritten: ${rewriteDocs(results).join(', ')}`)
  else
    console.log(
      'docs/performance.md is unchanged: it shows complete runs only (use --docs to update it anyway)',
    )
}
