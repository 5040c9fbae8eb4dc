/** Changes in words: one sentence each for the person who has to decide. */
import type { Attribute } from '../../../model/model.ts'
import type { Change, MatchedShape } from './change.ts'
import type { ChangeImpact } from './migration-plan.ts'

/** The sentence of a change, with what was found about it. */
export function describeChange(change: Change, found: ChangeImpact): string {
  const more = consequence(change, found)
  return `${subjectOf(change)}: ${predicateOf(change)}${more === '' ? '' : `; ${more}`}`
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
      return attributeOn(change.on, change.attribute)
    case 'addIndex':
    case 'dropIndex':
      return holderOf(change.on)
    default:
      return 'to' in change ? attributeOn(change.on, change.to) : holderOf(change.on)
  }
}

const holderOf = ({ kind, next }: MatchedShape) => (kind === 'type' ? next.uid : `component ${next.uid}`)
const attributeOn = (on: MatchedShape, { name }: Attribute) => `${holderOf(on)}, attribute ${name}`

const typeName = (attribute: Attribute): string => {
  switch (attribute.kind) {
    case 'scalar':
      return attribute.type
    case 'component':
      return `${attribute.repeatable ? 'list of components' : 'component'} ${attribute.component}`
    case 'zone':
      return 'dynamic zone'
    case 'media':
      return attribute.multiple ? 'list of files' : 'file'
    case 'relation':
      return `${attribute.side === 'inverse' ? 'inverse side of a relation' : 'relation'} to ${attribute.target ?? 'any type'}`
  }
}

function predicateOf(change: Change): string {
  switch (change.kind) {
    case 'addType':
      return `a new content-type, in a new table ${change.type.table}`
    case 'addComponent':
      return 'a new component'
    case 'addAttribute':
      return `a new ${typeName(change.attribute)}`
    case 'renameType':
    case 'renameComponent':
      return `renamed from ${change.on.previous.uid}, with all its content`
    case 'moveTable':
      return `its table ${change.on.previous.table} is renamed to ${change.on.next.table}`
    case 'renameAttribute':
      return `renamed from ${change.from.name}, with all its content`
    case 'dropType':
    case 'dropComponent':
    case 'dropAttribute':
      return 'dropped'
    case 'replaceAttribute':
      return `from ${typeName(change.from)} to ${typeName(change.to)}, which have no content in common`
    case 'convertValues':
      return `from ${change.from.type} to ${change.to.type}`
    case 'narrowEntries':
      return `from ${typeName(change.from)} to ${typeName(change.to)} with fewer entries allowed`
    case 'narrowEdges':
      return 'one where there could be several'
    case 'servePrivate':
      return 'becomes private: it is no longer served'
    case 'servePublic':
      return 'is no longer private: it is served'
    case 'require':
      return 'becomes required'
    case 'tightenRules':
      return 'its rules become stricter'
    case 'makeUnique':
      return 'becomes unique'
    case 'allowDuplicates':
      return 'is no longer unique'
    case 'shareLocales':
      return 'all locales share one value'
    case 'addIndex':
      return `an index over ${change.attributes.join(', ')}`
    case 'dropIndex':
      return `no index over ${change.attributes.join(', ')} any more`
    case 'localize':
      return 'becomes localized: what there is becomes the default locale'
    case 'unlocalize':
      return 'is no longer localized: the default locale becomes the only one'
    case 'addDrafts':
      return 'draft & publish switched on: every document gets a draft like what is published'
    case 'dropDrafts':
      return 'draft & publish switched off'
    case 'hideChanges':
      return 'changes that are not published are no longer shown'
    case 'makeSingle':
      return 'becomes a single type'
    case 'makeCollection':
      return 'becomes a collection'
  }
}

/** What it means for the content, in numbers and names. */
function consequence(change: Change, found: ChangeImpact): string {
  const { effect, rows } = found
  switch (effect) {
    case 'safe':
      return rows > 0 ? count(rows, 'row') : ''
    case 'empty':
      return change.kind === 'dropComponent' ? '' : 'it holds no content'
    case 'blocked':
      return `the same value is in ${documentsOf(found)}`
    case 'notice':
      return notice(change, found)
    case 'lossy':
      return loss(change, found)
  }
}

function notice(change: Change, found: ChangeImpact): string {
  switch (change.kind) {
    case 'require':
      return `there is no value in ${documentsOf(found)}; until edited, content stays as it is`
    case 'makeUnique':
      return `entries share a value in ${documentsOf(found)}; until edited, content stays as it is`
    case 'tightenRules':
      return `values are no longer accepted in ${documentsOf(found)}; until edited, content stays as it is`
    case 'shareLocales':
      return `locales differ in ${documentsOf(found)}; until edited, content stays as it is`
    default:
      return `of ${documentsOf(found)} the first is shown`
  }
}

function loss(change: Change, found: ChangeImpact): string {
  switch (change.kind) {
    case 'dropType':
      return `its ${count(found.rows, 'row')} of ${count(found.affected, 'document')} become a backup`
    case 'convertValues':
      return `of ${count(found.rows, 'value')}, there is no lossless conversion in ${documentsOf(found)}`
    case 'unlocalize':
      return `other locales are no longer shown, in ${documentsOf(found)}`
    case 'dropDrafts':
      return `what is only a draft becomes public, in ${documentsOf(found)}`
    case 'hideChanges':
      return `there are some in ${documentsOf(found)}`
    default:
      return `content becomes a backup, in ${documentsOf(found)}`
  }
}

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`

/** How many documents, and which. */
function documentsOf({ affected, documents }: ChangeImpact): string {
  const named = documents.join(', ')
  const rest = affected > documents.length && documents.length > 0 ? ', …' : ''
  return `${count(affected, 'document')}${named === '' ? '' : ` (${named}${rest})`}`
}
