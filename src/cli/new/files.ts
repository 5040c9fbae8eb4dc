/** The files of a new project, by path. */
import { randomBytes } from 'node:crypto'

export interface NewProject {
  readonly name: string
  /** Whether to include an example content-type. */
  readonly hasExample: boolean
  /** The first one is the default. */
  readonly locales: readonly string[]
}

/** The Octavo that creates the project. */
export interface Origin {
  readonly version: string
  /** Whether it is a published package, which the project can install, or a checkout. */
  readonly isPackage: boolean
}

export const createDevelopmentToken = () => `for-development-only-${randomBytes(24).toString('base64url')}`

export function projectFiles(
  project: NewProject,
  token: string,
  { version, isPackage }: Origin,
): ReadonlyMap<string, string> {
  const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`
  return new Map([
    ['package.json', json(packageOf(project.name, version))],
    ['octavo.config.ts', configOf(project)],
    ['config/roles.json', json(rolesOf(project))],
    ['config/tokens.json', json({ development: { type: 'full-access', token } })],
    ['.env', ENVIRONMENT],
    ['.gitignore', IGNORED],
    ['README.md', readmeOf(project, token, isPackage)],
    ...(project.hasExample
      ? [['src/api/article/content-types/article/schema.json', json(articleOf(project))] as const]
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
  // Formats the log of `octavo dev`.
  devDependencies: { 'pino-pretty': '^13.0.0' },
  engines: { node: '^24.15.0 || >=25.8.0' },
})

/** A valid npm package name. */
const packageName = (name: string) =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 200) || 'content'

const configOf = ({ locales }: NewProject) => `import { defineConfig } from 'octavo'

export default defineConfig({
  locales: { default: '${locales[0]}', locales: [${locales.map((code) => `'${code}'`).join(', ')}] },
  // Misspelled parameters are refused instead of ignored.
  api: { rest: { strictParams: true } },
})
`

/** Everyone may read published content, whether signed in or not; drafts require a token. */
const rolesOf = ({ hasExample }: NewProject) => {
  const readers = hasExample ? { 'api::article.article': ['find', 'findOne', '-readDrafts'] } : {}
  return { public: readers, authenticated: readers }
}

const articleOf = ({ locales }: NewProject) => ({
  kind: 'collectionType',
  info: { singularName: 'article', pluralName: 'articles', displayName: 'Article' },
  options: { draftAndPublish: true, search: true },
  pluginOptions: { i18n: { localized: locales.length > 1 } },
  attributes: {
    title: { type: 'string', required: true },
    slug: { type: 'uid', targetField: 'title', options: { generate: true } },
    summary: { type: 'text' },
    body: { type: 'richtext' },
    cover: { type: 'media', multiple: false, allowedTypes: ['images'] },
  },
})

/** Everyone has their own token, and content is not part of the code. */
const IGNORED = `node_modules/
.octavo/
public/uploads/
config/tokens.json
.env
*.octavo.jsonl.gz
`

const ENVIRONMENT = `# Settings of this machine. Variables of the process take precedence, and this file is not under version control.

# The database; default: SQLite in .octavo/data.db
# OCTAVO_DATABASE_URL=postgres://octavo:password@localhost/octavo

# Required in production: a random string of at least 32 characters, the same for every process
# OCTAVO_AUTH_SECRET=

# The address that people use, for links in e-mails
# OCTAVO_SERVER_URL=https://content.example.com

# Sends e-mails; without it they are written to .octavo/mail in development
# OCTAVO_EMAIL_SMTP=smtp://user:password@localhost:587
`

const INSTALLED = `\`\`\`sh
npm install
npm run dev
\`\`\`

Edits of schema files and configuration apply as soon as they are saved. \`npm start\` serves the project without
watching its files, as in production.`

const FROM_CHECKOUT = `This project was created by a checkout of Octavo. Serve it from there, with the path of this folder:

\`\`\`sh
npm run octavo -- dev --project FOLDER
\`\`\`

Edits of schema files and configuration apply as soon as they are saved. \`start\` instead of \`dev\` serves the
project without watching its files, as in production. To use the npm package instead, run \`npm install\` and
\`npm run dev\` here.`

const readmeOf = ({ name, hasExample }: NewProject, token: string, isPackage: boolean) => `# ${name}

A content server built with Octavo.

${isPackage ? INSTALLED : FROM_CHECKOUT}

Content-types are defined in \`src/api/<name>/content-types/<name>/schema.json\`, permissions in
\`config/roles.json\`, and other settings in \`octavo.config.ts\`. \`config/tokens.json\` contains a development token
and is not under version control.
${hasExample ? exampleRequests(token) : ''}
\`octavo doctor\` (${isPackage ? 'here `npm run doctor`' : 'in the checkout `npm run octavo -- doctor --project FOLDER`'}) checks the project, for example before you deploy it to production.
`

const exampleRequests = (token: string) => `
Create an article, and read the published articles as the public sees them (\`-readDrafts\` in
\`config/roles.json\` hides drafts):

\`\`\`sh
curl -X POST http://127.0.0.1:1337/api/articles \\
  -H 'Authorization: Bearer ${token.slice(0, 21)}…' \\
  -H 'Content-Type: application/json' \\
  -d '{ "data": { "title": "Hello" } }'
curl http://127.0.0.1:1337/api/articles
\`\`\`

The complete token is in \`config/tokens.json\`. The API reference is at http://127.0.0.1:1337/docs.
`
