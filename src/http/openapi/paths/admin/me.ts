/** The schemas of what a person may see and do in the admin app, and of how it shows content. */
import { WIDTHS } from '../../../../access/team/type-view.ts'
import type { DocumentBuilder } from '../../document-builder.ts'
import {
  arrayOf,
  boolean,
  integer,
  nullable,
  openObject,
  type Properties,
  type Schema,
  string,
} from '../../schemas/schema.ts'

/** An object in which nothing is optional. */
const complete = (properties: Properties): Schema => openObject(properties, Object.keys(properties))

const flags = (...names: readonly string[]) =>
  complete(Object.fromEntries(names.map((name) => [name, boolean])))

const mapOf = (values: Schema): Schema => ({ type: 'object', additionalProperties: values })

export const typeViewSchema = (builder: DocumentBuilder): Schema =>
  builder.sharedSchema('AdminTypeView', () =>
    complete({
      label: { ...string, description: 'Its name in the navigation.' },
      icon: nullable(string),
      mainField: { ...string, description: 'The attribute that names a document.' },
      columns: arrayOf(string, 'All that a list shows, unless the person chooses others.'),
      pageSize: integer,
      defaultSort: { ...string, examples: ['title:asc'] },
      previewUrl: {
        ...nullable(string),
        description:
          'The page that shows a document; `{documentId}`, `{locale}`, `{status}` and attributes in braces are replaced.',
      },
      fields: arrayOf(fieldViewSchema(builder), 'In the order of the form.'),
    }),
  )

const fieldViewSchema = (builder: DocumentBuilder): Schema =>
  builder.sharedSchema('AdminFieldView', () =>
    complete({
      ...{ name: string, label: string, help: nullable(string), placeholder: nullable(string) },
      width: { type: 'integer', enum: WIDTHS, description: 'Of the twelve columns of the form.' },
      hidden: boolean,
    }),
  )

export const savedViewSchema = (builder: DocumentBuilder): Schema =>
  builder.sharedSchema('AdminSavedView', () =>
    complete({
      ...{ id: string, type: string, name: string },
      query: { ...string, description: 'The query of the list’s URL.' },
      ...{ shared: boolean, own: boolean },
    }),
  )

export const navigationSchema = (): Schema =>
  complete({ groups: arrayOf(complete({ name: string, types: arrayOf(string) })) })

/** The response of `GET /me`. */
export const meSchema = (builder: DocumentBuilder, person: Schema): Schema =>
  builder.sharedSchema('AdminMe', () =>
    complete({
      user: person,
      locales: complete({
        ...{ default: string, codes: arrayOf(string) },
        names: { ...mapOf(string), description: 'What the project calls a locale, by code.' },
      }),
      settings: complete({
        ...{ passwordMinLength: integer, maxFileSize: integer, maxFiles: integer, maxPageSize: integer },
        ...{ schemaEditable: boolean, schemaVersion: integer, serverUrl: nullable(string) },
      }),
      features: {
        ...flags('history', 'schedules', 'releases', 'notices', 'webhooks', 'audit'),
        description: 'What the configuration of the server enables.',
      },
      permissions: complete({
        ...{ admin: boolean, viewConfiguration: boolean },
        upload: flags('find', 'create', 'update', 'delete'),
      }),
      navigation: navigationSchema(),
      contentTypes: arrayOf(contentTypeSchema(builder)),
      components: arrayOf(componentSchema(builder)),
      savedViews: arrayOf(savedViewSchema(builder)),
    }),
  )

const contentTypeSchema = (builder: DocumentBuilder): Schema =>
  builder.sharedSchema('AdminPermittedType', () => {
    const required = {
      ...{ uid: string, kind: { type: 'string', enum: ['collection', 'single'] } },
      ...{ singularName: string, pluralName: string },
      path: { ...string, description: 'The segment of this type in paths below `/content`.' },
      ...{ displayName: string, description: string, draftAndPublish: boolean, localized: boolean },
      actions: flags(
        ...['find', 'create', 'update', 'delete', 'publish', 'unpublish', 'discard', 'readHistory'],
        'schedule',
      ),
      own: { ...boolean, description: 'Whether a permission is limited to some documents.' },
      attributes: arrayOf(attributeSchema(builder)),
      view: typeViewSchema(builder),
    } satisfies Properties
    const renamedFrom = { ...string, description: 'The uid that it had before it was renamed.' }
    return openObject({ ...required, renamedFrom }, Object.keys(required))
  })

const componentSchema = (builder: DocumentBuilder): Schema =>
  builder.sharedSchema('AdminPermittedComponent', () =>
    complete({
      ...{ uid: string, category: string, displayName: string, icon: nullable(string) },
      attributes: arrayOf(attributeSchema(builder)),
    }),
  )

/** The attribute as its schema file has it, with what the person may do. */
const attributeSchema = (builder: DocumentBuilder): Schema =>
  builder.sharedSchema('AdminPermittedAttribute', () => {
    const required = {
      ...{ name: string, type: string, localized: boolean },
      readable: { ...boolean, description: 'Otherwise it can be written, but is not returned.' },
      writable: flags('create', 'update'),
    }
    const limit: Schema = { type: ['number', 'string'] }
    return openObject(
      {
        ...required,
        ...{ required: boolean, unique: boolean, default: {}, min: limit, max: limit },
        ...{ minLength: integer, maxLength: integer, enum: arrayOf(string), targetField: string },
        ...{ relation: string, target: string, component: string, components: arrayOf(string) },
        ...{ repeatable: boolean, multiple: boolean, allowedTypes: arrayOf(string) },
      },
      Object.keys(required),
    )
  })
