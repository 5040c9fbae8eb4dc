/** A small model for tests of the pure layers: restaurants, chefs, dishes and tags, with private attributes at every level. */
import { parseModel } from '../../src/model/parse-model.ts'
import { createLayout, ownedRelations, relationKeyText } from '../../src/store/tables/layout.ts'

const type = (name: string, schema: object) => ({
  kind: 'type' as const,
  uid: `api::${name}.${name}`,
  file: `src/api/${name}/content-types/${name}/schema.json`,
  schema: { kind: 'collectionType', info: { singularName: name, displayName: name }, ...schema },
})

const component = (uid: string, attributes: object) => ({
  kind: 'component' as const,
  uid,
  file: `src/components/${uid.replace('.', '/')}.json`,
  schema: { info: { displayName: uid }, attributes },
})

const parsed = parseModel(
  [
    type('restaurant', {
      options: { draftAndPublish: true },
      pluginOptions: { i18n: { localized: true } },
      attributes: {
        name: { type: 'string', pluginOptions: { i18n: { localized: true } } },
        stars: { type: 'integer' },
        rating: { type: 'float' },
        visitors: { type: 'biginteger' },
        opened: { type: 'date' },
        open: { type: 'boolean' },
        extra: { type: 'json' },
        notes: { type: 'text', private: true },
        code: { type: 'password' },
        cover: { type: 'media' },
        chef: {
          type: 'relation',
          relation: 'manyToOne',
          target: 'api::chef.chef',
          inversedBy: 'restaurants',
        },
        address: { type: 'component', component: 'place.address' },
        menu: { type: 'component', component: 'menu.section', repeatable: true },
        zone: { type: 'dynamiczone', components: ['block.quote', 'menu.section'] },
      },
    }),
    type('chef', {
      attributes: {
        name: { type: 'string' },
        salary: { type: 'decimal', private: true },
        restaurants: {
          type: 'relation',
          relation: 'oneToMany',
          target: 'api::restaurant.restaurant',
          mappedBy: 'chef',
        },
        mentor: { type: 'relation', relation: 'manyToOne', target: 'api::chef.chef' },
      },
    }),
    type('dish', { attributes: { name: { type: 'string' }, price: { type: 'decimal' } } }),
    type('tag', {
      attributes: { label: { type: 'string' }, related: { type: 'relation', relation: 'morphToMany' } },
    }),
    component('place.address', { street: { type: 'string' }, secret: { type: 'string', private: true } }),
    component('menu.section', {
      title: { type: 'string' },
      dish: { type: 'relation', relation: 'oneToOne', target: 'api::dish.dish' },
    }),
    component('block.quote', { text: { type: 'text' } }),
  ],
  { default: 'en', codes: ['en', 'fr'] },
)
if (!parsed.ok) throw new Error(parsed.problems.map(({ path, message }) => `${path}: ${message}`).join('\n'))

export const restaurantModel = parsed.model

export const restaurantLayout = createLayout(
  restaurantModel,
  new Map(ownedRelations(restaurantModel).map((key, index) => [relationKeyText(key), index + 1])),
)
