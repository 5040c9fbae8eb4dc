/** A model for the tests of forms: every kind of value, components in components, and a dynamic zone. */
import type { AttributeView, ComponentView, ContentTypeView } from '../../api/types.ts'
import { createSchema } from '../schema.ts'

const attribute = (name: string, type: string, more: Partial<AttributeView> = {}): AttributeView => ({
  name,
  type,
  localized: false,
  readable: true,
  writable: { create: true, update: true },
  ...more,
})

const component = (uid: string, attributes: readonly AttributeView[]): ComponentView => ({
  uid,
  category: uid.split('.', 1)[0] ?? '',
  displayName: uid,
  icon: null,
  attributes,
})

const components = [
  component('block.text', [attribute('text', 'text'), attribute('secret', 'string', { readable: false })]),
  component('block.gallery', [attribute('pictures', 'media', { multiple: true })]),
  component('menu.section', [
    attribute('title', 'string'),
    attribute('items', 'component', { component: 'menu.item', repeatable: true }),
  ]),
  component('menu.item', [attribute('label', 'string'), attribute('price', 'decimal')]),
]

export const attributes = [
  attribute('title', 'string', { default: 'Untitled' }),
  attribute('password', 'password'),
  attribute('author', 'relation', { relation: 'manyToOne', target: 'api::person.person' }),
  attribute('tags', 'relation', { relation: 'morphToMany' }),
  attribute('cover', 'media'),
  attribute('address', 'component', { component: 'menu.item' }),
  attribute('menu', 'component', { component: 'menu.section', repeatable: true }),
  attribute('zone', 'dynamiczone', { components: ['block.text', 'block.gallery'] }),
]

const person: ContentTypeView = {
  uid: 'api::person.person',
  kind: 'collection',
  singularName: 'person',
  pluralName: 'people',
  path: 'people',
  displayName: 'Person',
  description: '',
  draftAndPublish: false,
  localized: false,
  actions: {
    find: true,
    create: true,
    update: true,
    delete: true,
    publish: true,
    unpublish: true,
    discard: true,
    readHistory: true,
    schedule: true,
  },
  own: false,
  attributes: [attribute('name', 'string')],
  view: {
    label: 'People',
    icon: null,
    mainField: 'name',
    columns: ['name'],
    pageSize: 25,
    defaultSort: 'name',
    previewUrl: null,
    fields: [],
  },
}

export const schema = createSchema([person], components)
