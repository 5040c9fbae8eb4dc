/** Relations that a type with drafts shares with owners that have none: a draft and the published version have one list. */
import type { ContentType } from '../../model/model.ts'
import { isObject } from '../../project/values.ts'
import type { Blueprint, Inverse } from '../rows/blueprint.ts'

export const isWithoutDraft = (type: ContentType, { owner }: Inverse) =>
  type.draftAndPublish && !owner.draftAndPublish

/** Whether a write of this data changes such a relation, and so published content, even if it saves a draft only. */
export const changesRelationWithoutDraft = ({ type, inverses }: Blueprint, data: unknown): boolean =>
  isObject(data) &&
  [...inverses].some(([name, inverse]) => Object.hasOwn(data, name) && isWithoutDraft(type, inverse))
