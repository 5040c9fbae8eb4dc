/** Rich text as a list of blocks: paragraphs, headings, quotes, code, lists and images with inline children. */
import { isObject, type Values } from '../../project/values.ts'
import { fail, type Parsed, type ScalarType } from '../scalar-type.ts'
import { exactJson, jsonColumn, jsonFilter } from './json.ts'

type Node = Values
type Problem = Extract<Parsed<never>, { ok: false }>
type Check = (node: Node, path: readonly string[]) => Problem | null

const MARKS = ['bold', 'italic', 'underline', 'strikethrough', 'code']

/** Two steps a level; no editor nests lists and links this far. */
const DEEPEST = 200

const problem = (path: readonly string[], message: string): Problem => ({ ok: false, path, message })

/** Every node of a list against the checks for the types that may stand there. */
function checkNodes(
  nodes: unknown,
  allowed: Readonly<Record<string, Check>>,
  path: readonly string[],
): Problem | null {
  if (path.length > DEEPEST) return problem(path.slice(0, 1), 'is nested too deeply')
  if (!Array.isArray(nodes)) return problem(path, 'must be a list of nodes')
  for (const [index, node] of nodes.entries()) {
    const at = [...path, String(index)]
    if (!isObject(node)) return problem(at, 'must be a node with a type')
    const check =
      typeof node.type === 'string' && Object.hasOwn(allowed, node.type) ? allowed[node.type] : undefined
    if (!check) return problem(at, `must have one of the types ${Object.keys(allowed).join(', ')}`)
    const found = check(node, at)
    if (found) return found
  }
  return null
}

const childrenOf =
  (allowed: () => Readonly<Record<string, Check>>): Check =>
  (node, path) =>
    checkNodes(node.children, allowed(), [...path, 'children'])

/** Editors cannot put a caret into a node without children: an empty paragraph has one empty text. */
const someChildrenOf =
  (allowed: () => Readonly<Record<string, Check>>): Check =>
  (node, path) =>
    Array.isArray(node.children) && node.children.length === 0
      ? problem([...path, 'children'], 'must have at least one node, such as an empty text')
      : checkNodes(node.children, allowed(), [...path, 'children'])

const text: Check = (node, path) => {
  if (typeof node.text !== 'string') return problem([...path, 'text'], 'must be a text')
  const mark = MARKS.find((name) => node[name] !== undefined && typeof node[name] !== 'boolean')
  return mark ? problem([...path, mark], 'must be true or false') : null
}

const textChildren = childrenOf(() => ({ text }))
const inlineChildren = someChildrenOf(() => inline)

/** Addresses that run code when they are followed. */
const RUNS_CODE = /^(?:javascript|vbscript|data):/i

/** What browsers read of an address: blanks and control characters before it, and line breaks and tabs in it, are not. */
const asFollowed = (url: string) => {
  const start = url.search(/[^\0-\x20]/)
  return start < 0 ? '' : url.slice(start).replace(/[\t\n\r]/g, '')
}

const link: Check = (node, path) => {
  const at = [...path, 'url']
  if (typeof node.url !== 'string') return problem(at, 'must be a text')
  if (RUNS_CODE.test(asFollowed(node.url))) return problem(at, 'must not be an address that runs code')
  return textChildren(node, path)
}

const inline: Readonly<Record<string, Check>> = { text, link }

const heading: Check = (node, path) =>
  [1, 2, 3, 4, 5, 6].some((level) => level === node.level)
    ? inlineChildren(node, path)
    : problem([...path, 'level'], 'must be a whole number from 1 to 6')

const listChildren = someChildrenOf(() => ({ 'list-item': inlineChildren, list }))

const list: Check = (node, path) =>
  node.format === 'ordered' || node.format === 'unordered'
    ? listChildren(node, path)
    : problem([...path, 'format'], 'must be ordered or unordered')

const image: Check = (node, path) => {
  const at = [...path, 'image']
  if (!isObject(node.image)) return problem(at, 'must be an object that describes the image')
  const { url } = node.image
  return typeof url === 'string' && url !== ''
    ? null
    : problem([...at, 'url'], 'must be the address of the image')
}

const block: Readonly<Record<string, Check>> = {
  paragraph: inlineChildren,
  heading,
  quote: inlineChildren,
  code: textChildren,
  list,
  image,
}

export const blocks: ScalarType = {
  family: 'json',
  column: jsonColumn,
  parse(input) {
    if (!Array.isArray(input)) return fail('must be a list of blocks')
    return checkNodes(input, block, []) ?? exactJson(input)
  },
  parseFilter: jsonFilter,
  json: String,
}
