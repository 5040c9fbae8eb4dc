/** Describes the folder of a Strapi project: what is used of it, and what is not. */
import { ownCommand } from '../../project/own-command.ts'
import type { ProjectProblem } from '../../project/problems.ts'
import { formatProblem } from '../../project/problems.ts'
import type { CodeFile } from '../../project/strapi/code-files.ts'
import type { StrapiFolder } from '../../project/strapi/strapi-folder.ts'
import { quantity } from '../archive/progress.ts'
import { type Finding, ok, warning } from '../doctor/finding.ts'

/** What a server prints once when it starts. */
export function describeStrapiFolder(folder: StrapiFolder): string {
  const { version, settings, code, leftOut, unreadable } = folder
  return [
    `This is a project of Strapi (${version}). Its content-types are served; its database is not written to.`,
    'Responses have the shape of Strapi 5 (api.rest.compat).',
    ...(isOfStrapi4(folder) ? [`${OF_STRAPI_4}.`] : []),
    ...(settings.length > 0 ? ['Settings:'] : []),
    ...settings.map(({ setting, isUsed, counterpart }) =>
      isUsed ? `  ${setting}: used as ${counterpart}` : `  ${setting}: not used; instead: ${counterpart}`,
    ),
    ...unreadable.map((problem) => `  ${formatProblem(problem)}`),
    ...(leftOut.length > 0 ? ['Left out of the schema files:', ...leftOut.map(leftOutLine)] : []),
    ...(code.length > 0
      ? [
          `${quantity(code.length, 'file')} with code that cannot run here (${kindsOf(code)}): "${ownCommand('doctor')}" lists them.`,
        ]
      : []),
  ].join('\n')
}

/** Whether a version range, such as `^4.25.1`, is one of Strapi 4. */
const isOfStrapi4 = ({ version }: StrapiFolder) => /^\D*4(\.|$)/.test(version)

const OF_STRAPI_4 =
  'The project is one of Strapi 4: its schema files are read, but clients must address documents by documentId and find attributes in data itself, as in Strapi 5. Upgrade it to Strapi 5 to import its content'

const leftOutLine = (problem: ProjectProblem) => `  ${formatProblem(problem)}`

function kindsOf(code: readonly CodeFile[]): string {
  const counts = new Map<string, number>()
  for (const { kind } of code) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return [...counts].map(([kind, count]) => `${kind}: ${count}`).join(', ')
}

/** The findings of `octavo doctor`. */
export function checkStrapiFolder(folder: StrapiFolder | null): Finding[] {
  if (!folder) return []
  const docs = 'docs/from-strapi.md says what differs'
  return [
    ok(`Strapi project (${folder.version}): its content-types are served, its database is not written to`),
    ...(isOfStrapi4(folder) ? [warning(OF_STRAPI_4, docs)] : []),
    ...folder.settings.map(({ setting, isUsed, counterpart }) =>
      isUsed
        ? ok(`Setting ${setting}: used as ${counterpart}`)
        : warning(`Setting ${setting}: not used`, counterpart),
    ),
    ...folder.unreadable.map((problem) => warning(formatProblem(problem), docs)),
    ...folder.leftOut.map((problem) => warning(`Left out: ${formatProblem(problem)}`, docs)),
    ...folder.code.map(({ file, kind, replacement }) =>
      warning(`Code that cannot run here (${kind}): ${file}`, replacement),
    ),
  ]
}
