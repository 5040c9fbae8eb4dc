/** The files of a project with many content-types of twenty attributes each. */
import { TOKEN_VARIABLE } from '../workloads.ts'

const KINDS = ['string', 'text', 'integer', 'decimal', 'boolean', 'date', 'datetime', 'email'] as const

/** The files by path. */
export function manyTypes(count: number): Map<string, unknown> {
  const files = new Map<string, unknown>([
    ['config/tokens.json', { full: { type: 'full-access', env: TOKEN_VARIABLE } }],
  ])
  for (let index = 0; index < count; index++) {
    const name = `type-${index}`
    const target = `type-${(index + 1) % count}`
    files.set(`src/api/${name}/content-types/${name}/schema.json`, {
      kind: 'collectionType',
      collectionName: `type_${index}`,
      info: { singularName: name, pluralName: `${name}-list`, displayName: name },
      options: { draftAndPublish: index % 2 === 0 },
      attributes: {
        ...Object.fromEntries(
          Array.from({ length: 18 }, (_, place) => [
            place < 2 ? `text${place}` : `field${place}`,
            { type: place < 2 ? 'string' : KINDS[place % KINDS.length] },
          ]),
        ),
        next: { type: 'relation', relation: 'manyToOne', target: `api::${target}.${target}` },
        others: { type: 'relation', relation: 'manyToMany', target: `api::${target}.${target}` },
      },
    })
  }
  return files
}
