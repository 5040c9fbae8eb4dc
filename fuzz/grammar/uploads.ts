/** Upload forms, valid and invalid. */
import fc from 'fast-check'
import type { Body, FormPart } from '../request.ts'

const HEADS = [
  ...['Content-Disposition: form-data; name="files"; filename="red.png"\r\nContent-Type: image/png'],
  ...['Content-Disposition: form-data; name="files"; filename="notes.txt"\r\nContent-Type: text/plain'],
  ...[
    'Content-Disposition: form-data; name="files"; filename="../../etc/passwd"',
    'Content-Disposition: form-data; name="files"; filename=""',
  ],
  ...[
    'Content-Disposition: form-data; name="files"; filename*=UTF-8\'\'%00.png',
    'Content-Disposition: form-data; name="other"; filename="a.svg"',
  ],
  ...[
    'Content-Disposition: form-data; name="fileInfo"',
    'Content-Disposition: form-data; name="ref"',
    'Content-Disposition: form-data; name="refId"',
  ],
  ...[
    'Content-Disposition: form-data; name="field"',
    'Content-Disposition: form-data; name="path"',
    'Content-Disposition: form-data; name="__proto__"',
  ],
  ...[
    'Content-Disposition: form-data',
    'Content-Disposition: attachment',
    'X: y',
    '',
    'Content-Disposition: form-data; name="files"\r\nContent-Transfer-Encoding: base64',
  ],
]

/** Upload forms, valid and invalid. */
export const uploads: fc.Arbitrary<Body> = fc
  .tuple(
    fc.array(
      fc.oneof(
        {
          weight: 4,
          arbitrary: fc.constantFrom<FormPart>(
            { head: HEADS[0] ?? '', content: '', file: 'files/red.png' },
            { head: HEADS[1] ?? '', content: '', file: 'files/notes.txt' },
            { head: HEADS[0] ?? '', content: 'not an image' },
          ),
        },
        {
          weight: 4,
          arbitrary: fc
            .tuple(
              fc.constantFrom(...HEADS),
              fc.constantFrom(
                ...[
                  '{"name":"x","alternativeText":"y"}',
                  '{"name":"\\u0000"}',
                  '[{"name":"a"},{"name":"b"}]',
                  '{',
                  'api::restaurant.restaurant',
                ],
                ...[
                  '{{id api::restaurant.restaurant 1}}',
                  '{{doc api::restaurant.restaurant 1}}',
                  'cover',
                  'gallery',
                  'name',
                  '/a/b',
                  '../x',
                  '',
                  '\u0000',
                  '<svg onload=alert(1)>',
                ],
              ),
            )
            .map(([head, content]): FormPart => ({ head, content })),
        },
      ),
      { maxLength: 4 },
    ),
    fc.oneof(
      { weight: 8, arbitrary: fc.constant('--fuzz--\r\n') },
      { weight: 1, arbitrary: fc.constantFrom('', '--fuzz', '--fuzz--', '--other--\r\n', '\r\n') },
    ),
    fc.oneof(
      { weight: 10, arbitrary: fc.constant('multipart/form-data; boundary=fuzz') },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          'multipart/form-data',
          'multipart/form-data; boundary=other',
          'multipart/mixed; boundary=fuzz',
          'application/json',
        ),
      },
    ),
  )
  .map(([parts, end, type]): Body => ({ kind: 'form', type, parts, end }))
