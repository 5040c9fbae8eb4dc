/** A row of the table of attribute types: how a value is filled in, what the API returns for it, and what is refused. */
import type { Enter, Field } from './enter.ts'

/** When an invalid value is refused: while it is typed, when the draft is saved, or when it is published. */
type Refusal = 'typing' | 'saving' | 'publishing'

export interface RowOptions<Input> {
  /** Differs from the type if there is more than one row of it. */
  readonly name?: string
  /** The options of the attribute in the schema. */
  readonly schema?: Readonly<Record<string, unknown>>
  readonly enter: Enter<Input>
  readonly inputs: readonly [Input, Input]
  /** What the API returns for each of the inputs, if it is not the input itself. */
  readonly answers?: readonly [unknown, unknown]
  /** The part of a returned value to compare. */
  readonly read?: (served: unknown) => unknown
  /** Refused; without an input, the field stays empty. */
  readonly wrong: { readonly input?: Input; readonly message: string; readonly when: Refusal }
  readonly servedBy?: Row['servedBy']
}

export interface Row {
  readonly type: string
  readonly name: string
  readonly schema: Readonly<Record<string, unknown>>
  /** Fills in the first or second value. */
  enter(field: Field, which: 0 | 1): Promise<void>
  enterWrong(field: Field): Promise<void>
  readonly answers: readonly [unknown, unknown]
  read(served: unknown): unknown
  readonly message: string
  readonly refusedWhen: Refusal
  /** Private values are returned to the admin app only, and passwords to nobody. */
  readonly servedBy: 'api' | 'admin' | 'nobody'
}

/** A row of the table. */
export function row<Input>(type: string, options: RowOptions<Input>): Row {
  const { name = type, schema = {}, enter, inputs, wrong } = options
  return {
    type,
    name,
    schema: { ...schema, type, pluginOptions: { i18n: { localized: true } } },
    enter: (field, which) => enter(field, inputs[which]),
    enterWrong: async (field) => {
      if (wrong.input !== undefined) await enter(field, wrong.input)
    },
    answers: options.answers ?? inputs,
    read: options.read ?? ((served) => served),
    message: wrong.message,
    refusedWhen: wrong.when,
    servedBy: options.servedBy ?? 'api',
  }
}

/** The field is left empty, although the attribute is required. */
export const missing = (name: string) => ({ message: `${name} is required`, when: 'publishing' }) as const
