/** The files of a new project, by path. */
import { randomBytes } from 'node:crypto'

export interface Wishes {
  /** What the project is called, as people write it. */
  readonly name: string
  /** Whether a first content-type comes along. */
  readonly example: boolean
  /** The first is the default. */
  readonly locales: readonly string[]
}

/** The Octavo that makes the project. */
export interface Origin {
  readonly version: string
  /** Whether it is a published package, which the project can install; else it is a checkout. */
  readonly isPackage: boolean
}

/** Everything that a project needs to start at once. */
export function projectFiles(wishes: Wishes, { version, isPackage }: Origin): ReadonlyMap<string, string> {
  const token = `for-development-only-${randomBytes(24).toString('base64url')}`
  const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`
  return new Map([
    ['package.json', json(packageOf(wishes.name, version))],
    ['octavo.config.ts', configOf(wishes)],
    ['config/roles.json', json(rolesOf(wishes))],
    ['config/tokens.json', json({ development: { type: 'full-access', token } })],
    ['.gitignore', IGNORED],
    ['README.md', readmeOf(wishes, token, isPackage)],
    ...(wishes.example
      ? [['src/api/article/content-types/article/schema.json', json(articleOf(wishes))] as const]
      : []),
  ])
}

const packageOf = (name: string, version: string) => ({
  name: packageName(name),
  private: true,
  type: 'module',
  scripts: {
    dev: 'octavo dev',
    start: 'octavo start',
    doctor: 'octavo doctor',
    types: 'octavo types --out content-types.d.ts',
  },
  dependencies: { octavo: `^${version}` },
  engines: { node: '>=24.7' },
})

/** A name that npm takes. */
const packageName = (name: string) =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 200) || 'content'

const configOf = ({ locales }: Wishes) => `import { defineConfig } from 'octavo'

export default defineConfig({
  locales: { default: '${locales[0]}', locales: [${locales.map((code) => `'${code}'`).join(', ')}] },
})
`

/** Anybody may read what is published; drafts are for those who write. */
const rolesOf = ({ example }: Wishes) => ({
  public: example ? { 'api::article.article': ['find', 'findOne', '-readDrafts'] } : {},
})

const articleOf = ({ locales }: Wishes) => ({
  kind: 'collectionType',
  info: { singularName: 'article', pluralName: 'articles', displayName: 'Article' },
  options: { draftAndPublish: true },
  pluginOptions: { i18n: { localized: locales.length > 1 } },
  attributes: {
    title: { type: 'string', required: true },
    slug: { type: 'uid', targetField: 'title', options: { generate: true } },
    summary: { type: 'text' },
    body: { type: 'richtext' },
    cover: { type: 'media', multiple: false, allowedTypes: ['images'] },
  },
})

/** The token is everybody's own; content is not code. */
const IGNORED = `node_modules/
.octavo/
public/uploads/
config/tokens.json
*.octavo.jsonl.gz
`

const INSTALLED = `\`\`\`sh
npm install
npm run dev
\`\`\`

Edits of its files hold as soon as they are saved. \`npm start\` serves it without looking at the files again, as
in production.`

const FROM_CHECKOUT = `Until the first release of Octavo on npm it is served from a checkout of Octavo, with the path of this folder:

\`\`\`sh
npm run octavo -- dev --project FOLDER
\`\`\`

Edits of its files hold as soon as they are saved. \`start\` instead of \`dev\` serves it without looking at the files
again, as in production. From the release on, \`npm install\` and \`npm run dev\` will do.`

const readmeOf = ({ name, example }: Wishes, token: string, isPackage: boolean) => `# ${name}

A content server, made with Octavo.

${isPackage ? INSTALLED : FROM_CHECKOUT}

Its content-types are files: \`src/api/<name>/content-types/<name>/schema.json\`. Who may do what is in
\`config/roles.json\`, everything else in \`octavo.config.ts\`. \`config/tokens.json\` holds a token for development; it
stays out of version control.
${example ? exampleRequests(token) : ''}
\`octavo doctor\` (${isPackage ? 'here `npm run doctor`' : 'in the checkout `npm run octavo -- doctor --project FOLDER`'}) looks at the project and says what is missing, for instance before it goes to production.
`

const exampleRequests = (token: string) => `
Write an article, and read what anybody may read, which is what is published (\`-readDrafts\` in \`config/roles.json\`
keeps drafts to those who have a token):

\`\`\`sh
curl -X POST http://127.0.0.1:1337/api/articles \\
  -H 'Authorization: Bearer ${token.slice(0, 21)}…' \\
  -H 'Content-Type: application/json' \\
  -d '{ "data": { "title": "Hello" } }'
curl http://127.0.0.1:1337/api/articles
\`\`\`

The whole token is in \`config/tokens.json\`; all requests there are stand at http://127.0.0.1:1337/docs.
`
