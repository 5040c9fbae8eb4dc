/**
 * Checks that texts use the terms of the field: comments, strings and file names of the code, and the guides. Run as a
 * script, it checks the whole repository and lists each violation with the term to use instead.
 */
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

interface Rule {
  readonly pattern: RegExp
  readonly instead: string
  /** Files in which the words are legitimate, and why. */
  readonly allowed?: Readonly<Record<string, string>>
}

const PROMPT = 'an answer to a question on the terminal'

const RULES: readonly Rule[] = [
  {
    pattern: /\banswer(s|ed|ing)?\b/,
    instead: 'response, result or returns',
    allowed: {
      'src/cli/new/prompt.ts': PROMPT,
      'src/cli/confirm.ts': PROMPT,
      'src/cli/commands/new.ts': PROMPT,
      'src/http/metrics/database.ts': 'a value of the label `cache`, which dashboards use',
    },
  },
  { pattern: /\b(short|long) way\b/, instead: 'fast path, Fastify route' },
  { pattern: /\bmisfits?\b/, instead: 'invalid permissions, problems' },
  { pattern: /\bwish(es)?\b/, instead: 'options, target' },
  { pattern: /\bmistakes?\b/, instead: 'error, problem' },
  { pattern: /\bnobody in particular\b|\banyone's\b|\banybody's\b/, instead: 'anonymous' },
  { pattern: /\b(is|are|was|were) away\b/, instead: 'unavailable, unreachable' },
  { pattern: /\bin the way\b(?! (that|in which|of))/, instead: 'blocks, conflicts with' },
  { pattern: /\b(takes?|taken|took|taking) (\w+ )?away\b/, instead: 'deletes, removes' },
  { pattern: /\bcomes? to (be|its end|an end|life)\b/, instead: 'starts, ends' },
  { pattern: /\bunder way\b/, instead: 'in progress' },
  { pattern: /\bwhole numbers?\b/, instead: 'integer' },
  { pattern: /\bmust be (a|an|some) texts?\b|\blists? of texts\b/, instead: 'must be a string' },
  { pattern: /(?<!\bthere )\b(is|are) no (?!longer\b|more\b)(a |an )?[a-z-]+$/im, instead: '"X is not a Y"' },
  {
    pattern: /\b(is|are|was|were|be) told\b|\btells? of\b|\btold (of|about)\b/,
    instead: 'report, log, notify',
  },
  { pattern: /\bhears?\b|\bheard\b/, instead: 'listen, is notified' },
  { pattern: /\b(looks?|looked|looking) (at|into)\b/, instead: 'read, inspect, check' },
  { pattern: /\bset aside\b/, instead: 'backed up' },
  { pattern: /\bby heart\b|\bfor ever\b|\bat hand\b|\bin step\b/, instead: 'a precise term' },
  { pattern: /\bnobody else'?s?\b|\bsomebody( else)?('s)?\b/, instead: 'another user, a caller' },
]

/** Names that must not come back in code. */
const NAMES: readonly Rule[] = [
  { pattern: /\b(Soon|whenThere)\b/, instead: 'MaybePromise, andThen' },
  { pattern: /\bmoment(Of)?\(/, instead: 'globalVersion(), tableVersions()' },
  { pattern: /\bmisfits?\w*/i, instead: 'invalid permissions, problems' },
  { pattern: /\blookAhead\b/, instead: 'reserveIds' },
  { pattern: /\b(keptAnswers?|shortWay|longWay)\b/i, instead: 'cached response, fast path' },
  { pattern: /\bwishes\b/i, instead: 'options' },
  { pattern: /\b\w*[mM]istakes?\b/, instead: 'problem' },
]

/** This list and its test name the words themselves; the changelog of releases is history. */
const SKIPPED = new Set(['scripts/check-words.ts', 'test/scripts/check-words.test.ts'])

/** Every violation in a file, as `file:line: "words": use …`. */
export function checkWords(file: string, text: string): string[] {
  if (SKIPPED.has(file)) return []
  const isGuide = file.endsWith('.md')
  const prose = isGuide ? withoutCode(text) : proseOf(text)
  return [...violations(file, prose, RULES), ...(isGuide ? [] : violations(file, text, NAMES))]
}

function violations(file: string, text: string, rules: readonly Rule[]): string[] {
  return text.split('\n').flatMap((line, index) =>
    rules.flatMap(({ pattern, instead, allowed = {} }) => {
      const [words] = pattern.exec(line) ?? []
      if (words === undefined || Object.hasOwn(allowed, file)) return []
      return [`${file}:${index + 1}: "${words.trim()}": use ${instead}`]
    }),
  )
}

const TOKENS =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`|\/(?![*/ ])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/g

/** The comments and strings of code that contain words, on their own lines; everything else is blank. */
function proseOf(code: string): string {
  let prose = ''
  let end = 0
  for (const { 0: token, index } of code.matchAll(TOKENS)) {
    const isProse = token.startsWith('/*') || token.startsWith('//') || /^['"`].*\w \w/s.test(token)
    prose += code.slice(end, index).replace(/[^\n]/g, '')
    prose += isProse
      ? token.replace(/\$\{[^}]*(\}|$)/g, '').replace(/['"`]$/, '')
      : token.replace(/[^\n]/g, '')
    end = index + token.length
  }
  return prose
}

/** A guide without fenced blocks and inline code. */
const withoutCode = (markdown: string) =>
  markdown.replace(/```[\s\S]*?```/g, (block) => block.replace(/[^\n]/g, '')).replace(/`[^`\n]*`/g, '')

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const root = path.join(import.meta.dirname, '..')
  const files = globSync('{*.md,docs/*.md,{src,test,bench,fuzz,soak,siege,scripts,admin}/**/*.{ts,tsx}}', {
    cwd: root,
  }).sort()
  const found = files.flatMap((file) => checkWords(file, readFileSync(path.join(root, file), 'utf8')))
  for (const line of found) console.error(line)
  if (found.length > 0) process.exitCode = 1
  console.error(found.length === 1 ? '1 violation' : `${found.length} violations`)
}
