/** A relation: its kind, what it refers to, and both sides in words. */
import { Checkbox, Select, TextInput } from '@mantine/core'
import { modelTexts } from '../../texts/model.ts'
import { isTypedRelation, OPPOSITE, otherSideOf, withOtherSide } from '../draft/relations.ts'
import { type AttributeSchema, isType, nameOf, type Schema } from '../draft/schema.ts'
import { useModel } from '../model-context.tsx'
import styles from './attributes.module.css'
import type { Option } from './option.ts'
import type { OptionFieldProps } from './option-field-props.ts'

type RelationFieldsProps = OptionFieldProps<Extract<Option, { kind: 'relation' }>>

const { relation: words } = modelTexts

export function RelationFields({
  attribute,
  schema,
  name,
  previous,
  onChange,
  problemAt,
}: RelationFieldsProps) {
  const { draft } = useModel()
  const { relation = 'manyToOne', target } = attribute
  const targetSchema = draft.schemas.get(target ?? '')
  const isInComponent = !isType(schema.uid)
  const isMorphInverse = relation === 'morphOne' || relation === 'morphMany'
  const isMorphOwner = relation === 'morphToOne' || relation === 'morphToMany'
  return (
    <>
      <Select
        label={words.kind}
        data={kindsFor(isInComponent).map(([value, label]) => ({ value, label }))}
        value={relation}
        onChange={(kind) => kind !== null && onChange(withKind(attribute, kind))}
        allowDeselect={false}
        error={problemAt('relation')}
      />
      {!isMorphOwner && (
        <Select
          label={words.target}
          data={typeChoices(draft.schemas)}
          value={target ?? null}
          onChange={(uid) =>
            uid !== null && onChange({ ...withOtherSide(attribute, undefined), target: uid })
          }
          searchable
          allowDeselect={false}
          error={problemAt('target') ?? problemAt('relation')}
        />
      )}
      {isMorphInverse && targetSchema && (
        <Select
          label={words.morphBy}
          data={Object.entries(targetSchema.attributes)
            .filter(([, each]) => each.relation === 'morphToOne' || each.relation === 'morphToMany')
            .map(([each]) => each)}
          value={attribute.morphBy ?? null}
          onChange={(morphBy) => onChange({ ...attribute, ...(morphBy !== null && { morphBy }) })}
          error={problemAt('morphBy')}
        />
      )}
      {isTypedRelation(relation) && targetSchema && (
        <Sides
          attribute={attribute}
          relation={relation}
          schema={schema}
          target={targetSchema}
          name={name}
          previous={previous}
          onChange={onChange}
          canBeTwoWay={!isInComponent && !targetSchema.builtIn}
          problem={problemAt('inversedBy') ?? problemAt('mappedBy')}
        />
      )}
    </>
  )
}

interface SidesProps {
  readonly attribute: AttributeSchema
  readonly relation: keyof typeof OPPOSITE
  readonly schema: Schema
  readonly target: Schema
  readonly name: string
  readonly previous: string | null
  readonly onChange: (attribute: AttributeSchema) => void
  readonly canBeTwoWay: boolean
  readonly problem: string | undefined
}

function Sides(props: SidesProps) {
  const { attribute, relation, schema, target, name, previous, onChange, canBeTwoWay, problem } = props
  const [here, there] = [nameOf(schema), nameOf(target)]
  const other = otherSideOf(attribute)
  const existing = target.attributes[other ?? '']
  // The attribute at the other end may be there already, as the other side of this one.
  const isTaken =
    existing !== undefined && !(existing.target === schema.uid && otherSideOf(existing) === previous)
  return (
    <div className={styles.sides}>
      <p>
        <b>
          {here}.{name || '…'}
        </b>{' '}
        {words.words[relation](here, there)}
      </p>
      <p>
        <b>{other === undefined ? there : `${there}.${other}`}</b>{' '}
        {other === undefined ? words.oneWay : words.otherWords[relation](here, there)}
      </p>
      {canBeTwoWay && (
        <>
          <Checkbox
            label={words.otherSide}
            checked={other !== undefined}
            onChange={({ currentTarget: { checked } }) =>
              onChange(
                withOtherSide(attribute, checked ? suggestedName(schema, target, relation) : undefined),
              )
            }
          />
          {other !== undefined && (
            <TextInput
              label={words.otherName(there)}
              value={other}
              onChange={({ currentTarget: { value } }) => {
                const key = attribute.mappedBy === undefined ? 'inversedBy' : 'mappedBy'
                onChange({ ...attribute, [key]: value.trim() })
              }}
              error={isTaken ? modelTexts.schema.taken(`${there}.${other}`) : problem}
            />
          )}
        </>
      )}
    </div>
  )
}

/** The name of this type, in the plural where the other side has many. */
function suggestedName(schema: Schema, target: Schema, relation: keyof typeof OPPOSITE): string {
  const { singularName, pluralName } = schema.info
  const isMany = OPPOSITE[relation].endsWith('Many')
  const wanted = ((isMany ? pluralName : singularName) ?? nameOf(schema)).replace(/[^A-Za-z0-9_]/g, '_')
  const isFree = (name: string) => !Object.hasOwn(target.attributes, name)
  return isFree(wanted) ? wanted : `${wanted}_2`
}

/** Another kind of relation. The other side keeps its name where there is one. */
function withKind(attribute: AttributeSchema, relation: string): AttributeSchema {
  const { inversedBy, mappedBy, morphBy, target, ...rest } = attribute
  if (isTypedRelation(relation))
    return {
      ...rest,
      relation,
      ...(target !== undefined && { target }),
      ...(inversedBy !== undefined && { inversedBy }),
      ...(mappedBy !== undefined && { mappedBy }),
    }
  const isOwner = relation === 'morphToOne' || relation === 'morphToMany'
  return {
    ...rest,
    relation,
    ...(!isOwner && target !== undefined && { target }),
    ...(!isOwner && morphBy !== undefined && { morphBy }),
  }
}

/** Relations in components go one way. */
const kindsFor = (isInComponent: boolean) =>
  Object.entries(words.kinds).filter(
    ([kind]) => !isInComponent || (kind !== 'morphOne' && kind !== 'morphMany'),
  )

const typeChoices = (schemas: ReadonlyMap<string, Schema>) =>
  [...schemas.values()]
    .filter(({ uid }) => isType(uid))
    .map((schema) => ({ value: schema.uid, label: nameOf(schema) }))
