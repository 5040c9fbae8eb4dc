/** Describes each change of a plan in one sentence: what changes, which documents it affects, what is lost. */
import type { Attribute } from '../../../model/model.ts'
import type { Change, MatchedShape } from './change.ts'
import type { ChangeImpact } from './migration-plan.ts'

export function describeChange(change: Change, impact: ChangeImpact): string {
  return `${subjectOf(change)}: ${actionOf(change)}${consequenceOf(change, impact)}`
}

function subjectOf(change: Change): string {
  switch (change.kind) {
    case 'addType':
    case 'dropType':
      return change.type.uid
    case 'addComponent':
    case 'dropComponent':
      return `component ${change.component.uid}`
    case 'addAttribute':
    case 'dropAttribute':
      return attributeName(change.on, change.attribute)
    case 'addIndex':
    case 'dropIndex':
      return shapeName(change.on)
    default:
      return 'to' in change ? attributeName(change.on, change.to) : shapeName(change.on)
  }
}

const shapeName = ({ kind, next }: MatchedShape) => (kind === 'type' ? next.uid : `component ${next.uid}`)
const attributeName = (on: MatchedShape, { name }: Attribute) => `${shapeName(on)}, attribute ${name}`

const typeName = (attribute: Attribute): string => {
  switch (attribute.kind) {
    case 'scalar':
      return attribute.type
    case 'component':
      return `${attribute.repeatable ? 'repeatable component' : 'component'} ${attribute.component}`
    case 'zone':
      return 'dynamic zone'
    case 'media':
      return attribute.multiple ? 'multiple media' : 'media'
    case 'relation':
      return `${attribute.side === 'inverse' ? 'inverse relation' : 'relation'} to ${attribute.target ?? 'any type'}`
  }
}

function actionOf(change: Change): string {
  switch (change.kind) {
    case 'addType':
      return `new content-type in table ${change.type.table}`
    case 'addComponent':
      return 'new component'
    case 'addAttribute':
      return `added as ${typeName(change.attribute)}`
    case 'renameType':
    case 'renameComponent':
      return `renamed from ${change.on.previous.uid}, content is kept`
    case 'moveTable':
      return `table renamed from ${change.on.previous.table} to ${change.on.next.table}`
    case 'renameAttribute':
      return `renamed from ${change.from.name}, content is kept`
    case 'dropType':
    case 'dropComponent':
    case 'dropAttribute':
      return 'deleted'
    case 'replaceAttribute':
      return `changed from ${typeName(change.from)} to ${typeName(change.to)}, which cannot be converted`
    case 'convertValues':
      return `converted from ${change.from.type} to ${change.to.type}`
    case 'narrowEntries':
      return `changed from ${typeName(change.from)} to ${typeName(change.to)}, which allows fewer entries`
    case 'narrowEdges':
      return change.to.kind === 'media' ? 'limited to one file' : relationLimit(change.from, change.to)
    case 'servePrivate':
      return 'made private, no longer served'
    case 'servePublic':
      return 'no longer private, now served'
    case 'require':
      return 'becomes required'
    case 'tightenRules':
      return 'validation becomes stricter'
    case 'makeUnique':
      return 'becomes unique'
    case 'allowDuplicates':
      return 'no longer unique'
    case 'shareLocales':
      return 'no longer localized, all locales share one value'
    case 'addIndex':
      return `index added on ${change.attributes.join(', ')}`
    case 'dropIndex':
      return `index removed on ${change.attributes.join(', ')}`
    case 'changeSearch':
      return change.on.next.search
        ? `search index on ${change.on.next.search.join(', ')}`
        : 'search index removed'
    case 'localize':
      return 'becomes localized, existing content becomes the default locale'
    case 'unlocalize':
      return 'no longer localized, only the default locale is kept'
    case 'addDrafts':
      return 'draft & publish switched on, every published document gets a draft'
    case 'dropDrafts':
      return 'draft & publish switched off'
    case 'hideChanges':
      return 'unpublished changes are no longer served'
    case 'makeSingle':
      return 'becomes a single type'
    case 'makeCollection':
      return 'becomes a collection type'
  }
}

function relationLimit(from: Attribute, to: Attribute): string {
  const losesTargets = from.kind === 'relation' && from.many && to.kind === 'relation' && !to.many
  return losesTargets ? 'limited to one target' : 'each target limited to one owner'
}

function consequenceOf(change: Change, impact: ChangeImpact): string {
  switch (impact.effect) {
    case 'safe':
      return impact.rows > 0
        ? ` (${count(impact.rows, change.kind === 'convertValues' ? 'value' : 'row')})`
        : ''
    case 'empty':
      return change.kind === 'dropComponent' ? '' : '; it holds no content'
    case 'blocked':
      return `; blocked because ${documentsOf(impact)} share a value`
    case 'notice':
      return `; ${noticeOf(change, impact)}`
    case 'lossy':
      return `; ${lossOf(change, impact)}`
  }
}

function noticeOf(change: Change, impact: ChangeImpact): string {
  const documents = documentsOf(impact)
  const stays = 'existing content stays unchanged until edited'
  switch (change.kind) {
    case 'require':
      return `no value in ${documents}; ${stays}`
    case 'makeUnique':
      return `entries share a value in ${documents}; ${stays}`
    case 'tightenRules':
      return `invalid values in ${documents}; ${stays}`
    case 'shareLocales':
      return `locales differ in ${documents}; ${stays}`
    default:
      return `of ${documents}, only the first is served`
  }
}

function lossOf(change: Change, impact: ChangeImpact): string {
  const documents = documentsOf(impact)
  switch (change.kind) {
    case 'dropType':
      return `content (${count(impact.rows, 'row')}, ${count(impact.affected, 'document')}) is moved to a backup`
    case 'convertValues':
      return `of ${count(impact.rows, 'value')}, those of ${documents} cannot be converted without loss; the original values are kept in a backup`
    case 'narrowEntries':
      return `surplus entries of ${documents} are moved to a backup`
    case 'narrowEdges':
      return `surplus references of ${documents} are moved to a backup`
    case 'unlocalize':
      return `other locales of ${documents} are no longer served`
    case 'dropDrafts':
      return `drafts that were never published become public in ${documents}`
    case 'hideChanges':
      return `found in ${documents}`
    default:
      return `content of ${documents} is moved to a backup`
  }
}

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`

/** The number of affected documents, and the documentIds of the first few. */
function documentsOf({ affected, documents }: ChangeImpact): string {
  const ids = documents.join(', ')
  const more = affected > documents.length && documents.length > 0 ? ', …' : ''
  return `${count(affected, 'document')}${ids === '' ? '' : ` (${ids}${more})`}`
}
