/** Checks the nodes of a rich text: paragraphs, headings, quotes, code, lists and images with inline children. */
import { isObject, type Values } from '../../../project/values.ts'
import type { Parsed } from '../../scalar-type.ts'

type Node = Values
type Problem = Extract<Parsed<never>, { ok: false }>
type Check = (node: Node, path: readonly string[]) => Problem | null

const MARKS = ['bold', 'italic', 'underline', 'strikethrough', 'code']

/** Two steps per level; no editor nests lists and links this far. */
const MAX_DEPTH = 200

const problem = (path: readonly string[], message: string): Problem => ({ ok: false, path, message })

/** Checks every node of a list against the node types that are allowed there. */
function checkNodes(
  nodes: unknown,
  allowed: Readonly<Record<string, Check>>,
  path: readonly string[],
): Problem | null {
  if (path.length > MAX_DEPTH) return problem(path.slice(0, 1), 'is nested too deeply')
  if (!Array.isArray(nodes)) return problem(path, 'must be an array of nodes')
  for (const [index, node] of nodes.entries()) {
    const at = [...path, String(index)]
    if (!isObject(node)) return problem(at, 'must be a node with a type')
    const check =
      typeof node.type === 'string' && Object.hasOwn(allowed, node.type) ? allowed[node.type] : undefined
    if (!check) return problem(at, `must have one of the types ${Object.keys(allowed).join(', ')}`)
    const nodeProblem = check(node, at)
    if (nodeProblem) return nodeProblem
  }
  return null
}

const childrenOf =
  (allowed: () => Readonly<Record<string, Check>>): Check =>
  (node, path) =>
    checkNodes(node.children, allowed(), [...path, 'children'])

/** Editors cannot place a caret in a node without children, so an empty paragraph has one empty text. */
const nonEmptyChildrenOf =
  (allowed: () => Readonly<Record<string, Check>>): Check =>
  (node, path) =>
    Array.isArray(node.children) && node.children.length === 0
      ? problem([...path, 'children'], 'must have at least one node, such as an empty text')
      : checkNodes(node.children, allowed(), [...path, 'children'])

const text: Check = (node, path) => {
  if (typeof node.text !== 'string') return problem([...path, 'text'], 'must be a string')
  const mark = MARKS.find((name) => node[name] !== undefined && typeof node[name] !== 'boolean')
  return mark ? problem([...path, mark], 'must be true or false') : null
}

const textChildren = childrenOf(() => ({ text }))
const inlineChildren = nonEmptyChildrenOf(() => inline)

/** URLs that run code when they are followed. */
const SCRIPT_URL = /^(?:javascript|vbscript|data):/i
/** An image cannot run scripts in an `img` element, but an SVG can when it is opened by itself. */
const EMBEDDED_IMAGE = /^data:image\/(?:avif|gif|jpeg|png|webp)[;,]/i

/** The URL as browsers read it: without leading blanks and control characters, and without line breaks and tabs. */
const asBrowsersRead = (url: string) => {
  const start = url.search(/[^\0-\x20]/)
  return start < 0 ? '' : url.slice(start).replace(/[\t\n\r]/g, '')
}

const link: Check = (node, path) => {
  const at = [...path, 'url']
  if (typeof node.url !== 'string') return problem(at, 'must be a string')
  if (SCRIPT_URL.test(asBrowsersRead(node.url))) return problem(at, 'must not be a URL that runs code')
  return textChildren(node, path)
}

const inline: Readonly<Record<string, Check>> = { text, link }

const heading: Check = (node, path) =>
  [1, 2, 3, 4, 5, 6].some((level) => level === node.level)
    ? inlineChildren(node, path)
    : problem([...path, 'level'], 'must be an integer from 1 to 6')

const listChildren = nonEmptyChildrenOf(() => ({ 'list-item': inlineChildren, list }))

const list: Check = (node, path) =>
  node.format === 'ordered' || node.format === 'unordered'
    ? listChildren(node, path)
    : problem([...path, 'format'], 'must be ordered or unordered')

const image: Check = (node, path) => {
  const at = [...path, 'image']
  if (!isObject(node.image)) return problem(at, 'must be an object that describes the image')
  const { url } = node.image
  if (typeof url !== 'string' || url === '') return problem([...at, 'url'], 'must be the URL of the image')
  const unsafe = imageUrls(node.image).find(({ value }) => runsCode(value))
  return unsafe ? problem([...at, ...unsafe.path], 'must not be a URL that runs code') : null
}

interface ImageUrl {
  readonly path: readonly string[]
  readonly value: unknown
}

/** Those of the image itself, its preview and its formats, as the record of a file has them. */
function imageUrls({ url, previewUrl, formats }: Values): ImageUrl[] {
  const ofFormats = Object.entries(isObject(formats) ? formats : {}).map(([name, format]) => ({
    path: ['formats', name, 'url'],
    value: isObject(format) ? format.url : null,
  }))
  return [{ path: ['url'], value: url }, { path: ['previewUrl'], value: previewUrl }, ...ofFormats]
}

function runsCode(url: unknown): boolean {
  if (typeof url !== 'string') return false
  const read = asBrowsersRead(url)
  return SCRIPT_URL.test(read) && !EMBEDDED_IMAGE.test(read)
}

const block: Readonly<Record<string, Check>> = {
  paragraph: inlineChildren,
  heading,
  quote: inlineChildren,
  code: textChildren,
  list,
  image,
}

/** What is wrong with a list of blocks; null when it is valid. */
export const blocksProblem = (blocks: readonly unknown[]): Problem | null => checkNodes(blocks, block, [])
