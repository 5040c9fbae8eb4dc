/** Every attribute type. A type that is not listed is edited as JSON. */

import { blocks } from './blocks/blocks.tsx'
import { boolean } from './choices/boolean.tsx'
import { enumeration } from './choices/enumeration.tsx'
import { json } from './code/json.tsx'
import { richtext } from './code/richtext.tsx'
import { date } from './dates/date.tsx'
import { datetime } from './dates/datetime.tsx'
import { time } from './dates/time.tsx'
import { timestamp } from './dates/timestamp.tsx'
import type { FieldType } from './field-type.ts'
import { media } from './media/media.tsx'
import { biginteger } from './numbers/biginteger.tsx'
import { decimal } from './numbers/decimal.tsx'
import { float } from './numbers/float.tsx'
import { integer } from './numbers/integer.tsx'
import { relation } from './relations/relation.tsx'
import { component } from './rows/component.tsx'
import { dynamiczone } from './rows/dynamiczone.tsx'
import { email } from './text/email.tsx'
import { password } from './text/password.tsx'
import { string } from './text/string.tsx'
import { text } from './text/text.tsx'
import { uid } from './text/uid.tsx'

const types: Readonly<Record<string, FieldType>> = {
  biginteger,
  blocks,
  boolean,
  component,
  date,
  datetime,
  decimal,
  dynamiczone,
  email,
  enumeration,
  float,
  integer,
  json,
  media,
  password,
  relation,
  richtext,
  string,
  text,
  time,
  timestamp,
  uid,
}

export const fieldType = (type: string): FieldType => types[type] ?? json
