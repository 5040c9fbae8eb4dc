/** Every attribute type. A type that is not listed is edited as JSON. */
import { biginteger } from './biginteger.tsx'
import { blocks } from './blocks.tsx'
import { boolean } from './boolean.tsx'
import { component } from './component.tsx'
import { date } from './date.tsx'
import { datetime } from './datetime.tsx'
import { decimal } from './decimal.tsx'
import { dynamiczone } from './dynamiczone.tsx'
import { email } from './email.tsx'
import { enumeration } from './enumeration.tsx'
import type { FieldType } from './field-type.ts'
import { float } from './float.tsx'
import { integer } from './integer.tsx'
import { json } from './json.tsx'
import { media } from './media.tsx'
import { password } from './password.tsx'
import { relation } from './relation.tsx'
import { richtext } from './richtext.tsx'
import { string } from './string.tsx'
import { text } from './text.tsx'
import { time } from './time.tsx'
import { timestamp } from './timestamp.tsx'
import { uid } from './uid.tsx'

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
