/** Parses the `filters` parameter into a condition. */
import type { Condition, Field, Step } from '../../plan/query-tree.ts'
import { isObject } from '../../project/values.ts'
import { builtInFields, findName, type Subject, usableNames } from '../find-name.ts'
import { listOf, type Param } from '../params.ts'
import { addValue, and, countNode, type ParseContext, refuseKey, refuseValue } from '../parse-context.ts'
import { storedAuthors } from './author.ts'
import { branchesOf, isOnRelationItself, LOGICAL_OPERATORS, splitBranches } from './logical-operators.ts'
import { flag, operandStrings, operatorOf, operators } from './operators.ts'

type Path = readonly string[]

/** The condition of a filter object; null when the object is empty. */
export function parseFilters(
  context: ParseContext,
  subject: Subject,
  input: Param,
  path: Path,
): Condition | null {
  if (!isObject(input))
    return refuseValue(context, path, 'expected an object of filters, such as filters[name][$eq]=value')
  return and(...Object.entries(input).map(([key, value]) => parseKey(context, subject, key, value, path)))
}

/** A branch of `$and`, `$or` or `$not`, which cannot be empty. A list is a group of conditions that must all hold. */
function parseBranch(context: ParseContext, subject: Subject, input: Param, path: Path): Condition {
  const group = listOf(input)
  if (group?.every(isObject))
    return { kind: 'and', all: group.map((one) => parseBranch(context, subject, one, path)) }
  const condition = parseFilters(context, subject, input, path)
  return condition ?? refuseValue(context, path, 'expected a condition')
}

function parseKey(context: ParseContext, subject: Subject, key: string, value: Param, path: Path): Condition {
  countNode(context)
  const at = [...path, key]
  if (key === '$and' || key === '$or') {
    const all = branchesOf(context, value, at).map((branch) => parseBranch(context, subject, branch, at))
    return { kind: key === '$and' ? 'and' : 'or', all }
  }
  if (key === '$not') return { kind: 'not', of: parseBranch(context, subject, value, at) }
  const known = findName(context, subject, key)
  const found = known?.kind === 'author' && !known.canFilter ? null : known
  switch (found?.kind) {
    case 'field':
      return parseField(context, found.field, value, at)
    case 'author':
      return parseField(context, found.field, storedAuthors(context, value, at), at)
    case 'related':
      if (found.media) return refuseValue(context, at, 'media fields cannot be filtered')
      return parseRelated(context, found.step, found.subject, value, at)
    case 'component':
      return parseRelated(context, found.step, found.subject, value, at)
    case 'zone':
      return refuseValue(context, at, 'dynamic zones cannot be filtered')
    case 'morph':
    case 'usages':
      return refuseValue(context, at, 'polymorphic relations cannot be filtered')
    case 'forbidden':
    case undefined:
      return refuseKey(context, key, path, [
        ...usableNames(context, subject, FILTERABLE),
        ...LOGICAL_OPERATORS,
      ])
  }
}

const FILTERABLE = ['field', 'related', 'component'] as const

/**
 * Conditions on a relation or component. All fields under one key must match the same related document or entry.
 * Conditions on the relation itself, such as `$null` and ids, are independent of each other, also inside `$and`, `$or`
 * and `$not`.
 */
function parseRelated(
  context: ParseContext,
  step: Step,
  subject: Subject,
  value: Param,
  path: Path,
): Condition {
  if (!isObject(value) || listOf(value)) return isRelatedTo(context, step, subject, value, path)
  const onFields: Record<string, Param> = {}
  const onRelation: Condition[] = []
  for (const [key, operand] of Object.entries(value)) {
    const at = [...path, key]
    switch (operatorOf(key)?.onRelation) {
      case 'is':
        onRelation.push(isRelatedTo(context, step, subject, operand, at))
        continue
      case 'isNot':
        onRelation.push({ kind: 'not', of: isRelatedTo(context, step, subject, operand, at) })
        continue
      case 'isMissing':
        onRelation.push({ kind: 'some', step, is: !flag(context, operand, at) })
        continue
      case 'exists':
        onRelation.push({ kind: 'some', step, is: flag(context, operand, at) })
        continue
    }
    if (key === '$not' && isOnRelationItself(operand)) {
      countNode(context)
      onRelation.push({ kind: 'not', of: parseRelated(context, step, subject, operand, at) })
    } else if (key === '$and' || key === '$or') {
      const { separate, together } = splitBranches(context, key, operand, at)
      if (together) onFields[key] = together
      if (!separate) continue
      countNode(context)
      const all = separate.map((branch) => parseRelated(context, step, subject, branch, at))
      onRelation.push({ kind: key === '$and' ? 'and' : 'or', all })
    } else onFields[key] = operand
  }
  const where = parseFilters(context, subject, onFields, path)
  const condition = and(...onRelation, where ? { kind: 'through', step, where } : null)
  return condition ?? refuseValue(context, path, 'expected a field and an operator')
}

/** Whether one of the related documents has one of these ids, which are numeric ids or documentIds. */
function isRelatedTo(
  context: ParseContext,
  step: Step,
  subject: Subject,
  value: Param,
  path: Path,
): Condition {
  if (subject.kind === 'entry') return refuseValue(context, path, 'expected a field of the component')
  const all = operandStrings(context, value, path).map((id): Condition => {
    if (id === '') return refuseValue(context, path, 'expected an id or a documentId')
    return /^\d{1,15}$/.test(id)
      ? { kind: 'documentOfRow', value: addValue(context, Number(id)) }
      : { kind: 'compare', field: builtInFields.documentId, op: 'eq', value: addValue(context, id) }
  })
  return { kind: 'through', step, where: { kind: 'or', all } }
}

/** Conditions on a field; a bare value means `$eq`. */
function parseField(context: ParseContext, field: Field, value: Param, path: Path): Condition {
  if (!isObject(value) || listOf(value))
    return operators.$eq.toCondition({ context, field, operand: value, path })
  const conditions = Object.entries(value).map(([key, operand]): Condition => {
    const at = [...path, key]
    countNode(context)
    if (key === '$not') return { kind: 'not', of: parseField(context, field, operand, at) }
    if (key === '$and' || key === '$or') {
      const all = branchesOf(context, operand, at).map((branch) => parseField(context, field, branch, at))
      return { kind: key === '$and' ? 'and' : 'or', all }
    }
    const operator = operatorOf(key)
    return operator
      ? operator.toCondition({ context, field, operand, path: at })
      : refuseKey(context, key, path, [...Object.keys(operators), ...LOGICAL_OPERATORS])
  })
  return and(...conditions) ?? refuseValue(context, path, 'expected an operator and a value')
}
