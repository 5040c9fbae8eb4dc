/** The schema folder of a shop: 15 content-types in folders of several, 35 components five levels deep, little else set. */

import type { Files } from '../support/project-folder.ts'
import { componentFile } from '../support/project-server.ts'

const range = (count: number) => Array.from({ length: count }, (_, index) => index)
const string = { type: 'string' }

/** Half of the keys that a schema may have are absent here: names and tables follow from others. */
const type = (name: string, attributes: object) => ({
  kind: 'collectionType',
  info: { singularName: name, displayName: name },
  attributes,
})

/** Seven chains of five: each component holds the next, the last two in a zone of their own. */
function components(): [string, object][] {
  return range(7).flatMap((chain) =>
    range(5).map((depth): [string, object] => {
      const uid = (at: number) => `chain-${chain}.level-${at}`
      const below: Record<number, object> = {
        0: { items: { type: 'component', repeatable: true, component: uid(1), max: 4 } },
        1: { item: { type: 'component', component: uid(2) } },
        2: { zone: { type: 'dynamiczone', components: [uid(3), uid(4)], max: 3 } },
        3: { items: { type: 'component', repeatable: true, component: uid(4) } },
        4: {
          image: { type: 'media' },
          product: { type: 'relation', relation: 'oneToOne', target: 'api::catalog.product' },
        },
      }
      return [
        uid(depth),
        { name: string, price: { type: 'decimal' }, note: { type: 'text', private: true }, ...below[depth] },
      ]
    }),
  )
}

const CATALOG = ['product', 'variant', 'category', 'brand', 'collection']
const SALES = ['order', 'invoice', 'customer', 'voucher', 'shipment']
const CONTENT = ['landing', 'article', 'faq', 'banner', 'redirect']

const zone = { type: 'dynamiczone', components: range(7).map((chain) => `chain-${chain}.level-0`) }

const one = (target: string, more: object = {}) => ({
  type: 'relation',
  relation: 'manyToOne',
  target,
  ...more,
})
const many = (target: string, more: object = {}) => ({
  type: 'relation',
  relation: 'oneToMany',
  target,
  ...more,
})

/** One folder of an api holds several content-types. */
const file = (api: string, name: string) => `src/api/${api}/content-types/${name}/schema.json`

function types(): [string, object][] {
  const catalog = Object.fromEntries(
    CATALOG.map((name) => [name, { name: string, sku: { type: 'uid' }, zone }]),
  )
  const links: Record<string, object> = {
    product: {
      brand: one('api::catalog.brand', { inversedBy: 'products' }),
      variants: many('api::catalog.variant', { mappedBy: 'product' }),
      prices: { type: 'json' },
      stock: { type: 'biginteger', min: 0 },
    },
    brand: { products: many('api::catalog.product', { mappedBy: 'brand' }) },
    variant: { product: one('api::catalog.product', { inversedBy: 'variants' }) },
  }
  return [
    ...CATALOG.map((name): [string, object] => [
      file('catalog', name),
      type(name, { ...catalog[name], ...links[name] }),
    ]),
    ...SALES.map((name): [string, object] => [
      file('sales', name),
      type(name, {
        number: { type: 'integer' },
        total: { type: 'decimal' },
        at: { type: 'datetime' },
        of: one('api::sales.order'),
      }),
    ]),
    ...CONTENT.map((name): [string, object] => [
      file('content', name),
      {
        ...type(name, {
          title: string,
          zone,
          lines: { type: 'component', repeatable: true, component: 'chain-0.level-1' },
        }),
        options: { draftAndPublish: true },
      },
    ]),
  ]
}

/** All files, by path. */
export const shop = (): Files => ({
  ...Object.fromEntries(types()),
  ...Object.fromEntries(
    components().map(([uid, attributes]) => [
      componentFile(uid),
      { collectionName: `c_${uid.replace(/\W/g, '_')}`, info: { displayName: uid }, attributes },
    ]),
  ),
})
