/** The attribute types with one value. */
import { enterBlocks, enterChoice, enterCode, enterSwitch, enterText } from './enter.ts'
import { missing, type Row, type RowOptions, row } from './row.ts'

const text = (
  type: string,
  inputs: readonly [string, string],
  wrong: RowOptions<string>['wrong'],
  more: Partial<RowOptions<string>> = {},
) => row(type, { enter: enterText, inputs, wrong, ...more })

const DIGITS = 'has too many digits to be stored exactly: at most 15 significant digits always can be'
const INSTANT = 'must be a timestamp such as 2024-02-29T10:00:00.000Z, a date, or milliseconds'

/** The browser of the test is five and a half hours ahead of UTC. */
export const TIME_ZONE = 'Asia/Kolkata'

/** A value that another document has already. */
export const TAKEN = 'taken'

export const SCALARS: readonly Row[] = [
  text('string', ['A title', 'Ünïcode 寿司 🍕 "<b>"'], {
    input: 'x'.repeat(256),
    message: 'string must have at most 255 characters',
    when: 'saving',
  }),
  text(
    'string',
    ['N-1', 'N-2'],
    {
      input: TAKEN,
      message: 'number must be unique: another document has this value',
      when: 'publishing',
    },
    { name: 'number', schema: { unique: true } },
  ),
  text(
    'string',
    ['For us', 'Us only'],
    { input: 'too long', message: 'secret must have at most 7 characters', when: 'saving' },
    { name: 'secret', schema: { private: true, maxLength: 7 }, servedBy: 'admin' },
  ),
  text(
    'text',
    ['One line\nand another', ' spaces stay '],
    { input: 'no', message: 'text must have at least 5 characters', when: 'publishing' },
    { schema: { minLength: 5 } },
  ),
  row('richtext', {
    enter: enterCode,
    schema: { maxLength: 60 },
    inputs: ['# Title\n\n- one\n- two\n\n**bold** \\* and <i>', 'Second *text*'],
    wrong: { input: 'x'.repeat(61), message: 'richtext must have at most 60 characters', when: 'saving' },
  }),
  row('blocks', {
    enter: enterBlocks,
    schema: { required: true },
    inputs: [
      [{ kind: 'Text', text: 'Plain and ', bold: 'bold' }],
      [
        { kind: 'Heading 2', text: 'A heading' },
        { kind: 'Quote', text: 'A quote' },
      ],
    ],
    answers: [
      [
        {
          type: 'paragraph',
          children: [
            { type: 'text', text: 'Plain and ' },
            { type: 'text', text: 'bold', bold: true },
          ],
        },
      ],
      [
        { type: 'heading', level: 2, children: [{ type: 'text', text: 'A heading' }] },
        { type: 'quote', children: [{ type: 'text', text: 'A quote' }] },
      ],
    ],
    wrong: missing('blocks'),
  }),
  text('email', ['a.b+c@example.test', 'Ü@Example.test'], {
    input: 'a@b',
    message: 'email must be an e-mail address',
    when: 'publishing',
  }),
  text(
    'password',
    ['first-password', 'second-password'],
    { input: 'short', message: 'password must have at least 8 characters', when: 'saving' },
    { schema: { minLength: 8 }, servedBy: 'nobody' },
  ),
  text('uid', ['first-part', 'second_part.~'], {
    input: 'two words',
    message: 'uid may only contain letters, digits and the characters - _ . ~',
    when: 'publishing',
  }),
  text(
    'integer',
    ['-5', '9007199254740991'],
    {
      input: '9007199254740993',
      message: 'integer must be between -(2^53 - 1) and 2^53 - 1',
      when: 'saving',
    },
    { answers: [-5, 9007199254740991] },
  ),
  text('biginteger', ['9223372036854775807', '-9223372036854775808'], {
    input: '9223372036854775808',
    message: 'biginteger must fit in 64 bits',
    when: 'saving',
  }),
  text(
    'float',
    ['-12.25', '0.0000001'],
    { input: '1000.5', message: 'float must be at most 1000', when: 'saving' },
    { schema: { max: 1000 }, answers: [-12.25, 1e-7] },
  ),
  text(
    'decimal',
    ['12.50', '1234567890.12345'],
    { input: '0.1234567890123456789', message: `decimal ${DIGITS}`, when: 'saving' },
    { answers: [12.5, 1234567890.12345] },
  ),
  row('boolean', {
    enter: enterSwitch,
    schema: { required: true },
    inputs: [true, false],
    wrong: missing('boolean'),
  }),
  text('date', ['2024-02-29', '0999-12-31'], {
    input: '12024-02-29',
    message: 'date must be a date such as 2024-02-29',
    when: 'saving',
  }),
  text('time', ['09:05', '23:59:58.125'], missing('time'), {
    schema: { required: true },
    answers: ['09:05:00.000', '23:59:58.125'],
  }),
  text(
    'datetime',
    ['2024-02-29T10:30', '1999-12-31T23:59:59.999'],
    { input: '12024-02-29T10:30', message: `datetime ${INSTANT}`, when: 'saving' },
    { answers: ['2024-02-29T05:00:00.000Z', '1999-12-31T18:29:59.999Z'] },
  ),
  text('timestamp', ['2024-01-01T00:00', '2024-07-01T12:00:01'], missing('timestamp'), {
    schema: { required: true },
    answers: ['2023-12-31T18:30:00.000Z', '2024-07-01T06:30:01.000Z'],
  }),
  row('enumeration', {
    enter: enterChoice,
    schema: { required: true, enum: ['one', 'another one'] },
    inputs: ['one', 'another one'],
    wrong: missing('enumeration'),
  }),
  row('json', {
    enter: enterCode,
    inputs: ['{"list": [1, 2.5, "ü", null], "empty": {}}', '"only a string"'],
    answers: [{ list: [1, 2.5, 'ü', null], empty: {} }, 'only a string'],
    wrong: { input: '{"list": }', message: 'This is not valid JSON', when: 'typing' },
  }),
  row('json', {
    name: 'digits',
    enter: enterCode,
    inputs: ['{"id": 9007199254740991}', '{"id": "9007199254740993"}'],
    answers: [{ id: 9007199254740991 }, { id: '9007199254740993' }],
    wrong: {
      input: '{"id": 9007199254740993}',
      message: 'The number 9007199254740993 would lose digits. Write it as a string, in quotation marks.',
      when: 'typing',
    },
  }),
  text(
    'customField',
    ['#8a2432', '#e0808c'],
    { input: 'dark red', message: 'customField must have at most 7 characters', when: 'saving' },
    { schema: { customField: 'plugin::colour.colour', maxLength: 7 } },
  ),
]
