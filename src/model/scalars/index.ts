/** Every attribute type by its name in schema files. */
import { biginteger } from './biginteger.ts'
import { blocks } from './blocks.ts'
import { boolean } from './boolean.ts'
import { date } from './date.ts'
import { datetime } from './datetime.ts'
import { decimal } from './decimal.ts'
import { email } from './email.ts'
import { enumeration } from './enumeration.ts'
import { float } from './float.ts'
import { integer } from './integer.ts'
import { json } from './json.ts'
import { password } from './password.ts'
import { richtext } from './richtext.ts'
import { string } from './string.ts'
import { text } from './text.ts'
import { time } from './time.ts'
import { timestamp } from './timestamp.ts'
import { uid } from './uid.ts'

export const scalarTypes = {
  string,
  text,
  richtext,
  blocks,
  email,
  password,
  uid,
  integer,
  biginteger,
  float,
  decimal,
  boolean,
  date,
  time,
  datetime,
  timestamp,
  enumeration,
  json,
}

export type ScalarTypeName = keyof typeof scalarTypes

/** What a custom field is when the schema does not say: long text accepts every string. */
export const CUSTOM_FIELD_TYPE: ScalarTypeName = 'text'

export const isScalarTypeName = (name: string): name is ScalarTypeName => Object.hasOwn(scalarTypes, name)

/** The type of the numeric ids of rows and entries. */
export const ID_TYPE: ScalarTypeName = 'integer'
