/** Every scalar attribute type by its name. */
import type { ScalarTypeName } from '../model.ts'
import type { ScalarType } from '../scalar-type.ts'
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

export const scalarTypes: Readonly<Record<ScalarTypeName, ScalarType>> = {
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
