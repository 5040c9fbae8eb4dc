/**
 * The first reading of the content: checks every row against the model, and stages in a scratch database what the second
 * reading, which writes, must look up. Writes nothing else, so it is also what `--dry-run` does.
 */
import type { StoredTypeView } from '../../access/team/type-view.ts'
import { type ContentType, FILE, type Model } from '../../model/model.ts'
import { isObject } from '../../project/values.ts'
import { createLayout, type Layout, ownedRelations, relationKeyText } from '../../store/tables/layout.ts'
import type { Progress } from '../archive/progress.ts'
import type { ReadParts } from './archive/parts.ts'
import { EntityReader } from './entity-reader.ts'
import { fileNameOf } from './file-records.ts'
import { resolveLinks } from './links.ts'
import { componentViews, FOLDER, I18N_LOCALE, type Overview, PERMISSION } from './overview.ts'
import { importedRoleTypes, type RolePermissions, rolePermissions } from './permissions.ts'
import { Report } from './report.ts'
import { OF_STRAPI } from './schemas.ts'
import type { Scratch } from './scratch.ts'
import { importedViews } from './views.ts'

export interface Prepared {
  readonly overview: Overview
  readonly report: Report
  readonly permissions: readonly RolePermissions[]
  /** Views of the admin app, by uid of the content-type. */
  readonly views: ReadonlyMap<string, StoredTypeView>
  /** The content-types that have rows to leave out, and the content-types and components that have values to leave out. */
  readonly typesWithDropped: ReadonlySet<string>
  readonly shapesWithCleared: ReadonlySet<string>
  readonly defaultLocale: string
}

/** Types that are read by the overview. */
const READ_ELSEWHERE: ReadonlySet<string> = new Set([FOLDER, I18N_LOCALE, PERMISSION])

export async function prepareImport(
  parts: ReadParts,
  overview: Overview,
  model: Model,
  scratch: Scratch,
  progress: Progress,
): Promise<Prepared> {
  const report = new Report({ strapi: overview.version, exportedAt: overview.createdAt })
  const defaultLocale = overview.defaultLocale ?? model.locales.default
  const typesWithDropped = new Set<string>()
  const shapesWithCleared = new Set<string>()
  const reader = new EntityReader({
    layout: layoutToCheckWith(model),
    overview,
    defaultLocale,
    omissions: report,
    onEntry: (component, id, reference) => void scratch.addEntry(component, id, reference),
  })

  const prepareRow = (type: ContentType, id: number, data: Parameters<EntityReader['read']>[2]) => {
    const counts = report.countsOf(type.uid)
    counts.read++
    const entity = reader.read(type, id, data)
    if (!entity) return
    // An export of a server that writes meanwhile can have a row twice.
    if (scratch.hasRow(type.uid, id)) {
      scratch.addRepeated(type.uid, id)
      typesWithDropped.add(type.uid)
      report.add(`row of ${type.uid}`, 'an earlier row of the export has the same id')
      return
    }
    if (scratch.addRow(id, entity.version, entity.rank)) {
      typesWithDropped.add(type.uid)
      report.add(`row of ${type.uid}`, 'another row is the same version of the same document')
    } else counts.imported++
    for (const unique of entity.uniques) scratch.addUnique(entity.version, id, unique)
    if (type.uid === FILE) checkFile(data.fields, scratch, report)
  }

  progress.part('Checked', sum(overview.rows))
  for await (const part of parts(['entity'])) {
    if (part.kind !== 'entity') continue
    progress.step()
    const type = model.types.get(part.type)
    if (type) prepareRow(type, part.id, part.data())
    else if (!READ_ELSEWHERE.has(part.type)) {
      report.countsOf(part.type).read++
      report.add(`row of ${part.type}`, reasonFor(part.type))
    }
  }
  for (const { shape, attribute, count, first } of scratch.clearRepeatedValues()) {
    shapesWithCleared.add(shape)
    report.add(
      `value of ${attribute} in ${shape}`,
      `another ${model.components.has(shape) ? 'entry' : 'document'} has the same, and the attribute is unique (first: ${first})`,
      count,
    )
  }
  progress.part('Links', overview.links)
  resolveLinks(scratch, model, report, () => progress.step())
  const permissions = rolePermissions(overview, model, report)
  const views = importedViews(overview, model)
  report.views = views.size
  progress.end()
  completeReport(report, overview, model, scratch, permissions)
  return { overview, report, permissions, views, typesWithDropped, shapesWithCleared, defaultLocale }
}

const sum = (counts: ReadonlyMap<string, number>) =>
  [...counts.values()].reduce((total, one) => total + one, 0)

function reasonFor(uid: string): string {
  if (uid.startsWith('admin::')) return 'accounts and roles of the team and their tokens are not imported'
  return OF_STRAPI.test(uid)
    ? 'only Strapi has this content-type'
    : 'the project does not have this content-type'
}

function checkFile(file: Parameters<typeof fileNameOf>[0], scratch: Scratch, report: Report): void {
  const formats = isObject(file.formats) ? Object.values(file.formats).filter(isObject) : []
  for (const record of [file, ...formats]) {
    const name = fileNameOf(record)
    if (name !== null && scratch.fileSize(name) === null)
      report.add('file', 'the export does not have its bytes, so its record keeps the url of Strapi')
  }
}

function completeReport(
  report: Report,
  overview: Overview,
  model: Model,
  scratch: Scratch,
  permissions: readonly RolePermissions[],
): void {
  report.files.read = overview.files
  report.files.imported = overview.files
  report.permissions = permissions.reduce((total, { actions }) => total + actions.length, 0)
  report.locales = overview.locales
  const missing = overview.locales.filter((code) => !model.locales.codes.includes(code))
  if (missing.length > 0)
    report.note(
      `The project does not have these locales: ${missing.join(', ')}. Add them to config/locales.json.`,
    )
  const otherSize = scratch.filesOfOtherSize()
  if (otherSize > 0)
    report.note(`The size of ${otherSize} files differs from the size that Strapi has recorded.`)
  const types = [...importedRoleTypes(overview)].filter(([id, type]) => type.endsWith(`-${id}`))
  if (types.length > 0)
    report.note(
      `Types of roles are unique here, so some are different: ${types.map(([, type]) => type).join(', ')}.`,
    )
  const views = componentViews(overview)
  if (views > 0) report.add('view configuration of a component', 'components have none here', views)
}

/** Nothing is written with this layout, so relations may have any number. */
const layoutToCheckWith = (model: Model): Layout =>
  createLayout(model, new Map(ownedRelations(model).map((key, index) => [relationKeyText(key), index])))
