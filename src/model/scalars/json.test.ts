import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { assertRefused, filter, parse, roundTrip } from '../../../test/support/scalars.ts'
import { scalarTypes } from './index.ts'
import { findLoss } from './shared/lossless-json.ts'

const LINK = { type: 'link', url: '#', children: [{ type: 'text', text: 'x' }] }

describe('JSON', () => {
  test('any JSON value is returned exactly, and a number that has lost digits is refused', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        fc.pre(value !== null && findLoss(value) === null)
        const parsed = parse('json', value)
        assert.ok(parsed.ok)
        assert.equal(scalarTypes.json.json(parsed.value), JSON.stringify(value))
      }),
    )
    for (const value of [true, 'plain text', '{"a":1}', [], { deep: { er: [null] } }, 0, '']) {
      assert.deepEqual(roundTrip('json', value), value)
    }
  })

  test('the error has the path of a number that has lost digits', () => {
    const found = (value: unknown) => findLoss(value)?.path.join('.') ?? null
    for (const fine of [0, -0, 1.5, 2 ** 53 - 1, 1 - 2 ** 53, 1e21, -1e300, 5e-324, '12345678901234567890'])
      assert.equal(found({ a: [fine] }), null)
    for (const lost of [2 ** 53, -(2 ** 53), 1e20, 2 ** 69, Infinity, -Infinity, Number.NaN])
      assert.equal(found({ a: [0, lost] }), 'a.1')
  })

  test('deep nesting is refused without an exception', () => {
    let nested: unknown = []
    for (let level = 0; level < 100_000; level++) nested = [nested]
    assertRefused('json', [nested])
    let block: unknown = { type: 'list-item', children: [{ type: 'text', text: 'x' }] }
    for (let level = 0; level < 100_000; level++)
      block = { type: 'list', format: 'ordered', children: [block] }
    assertRefused('blocks', [[block]])
  })

  test('a filter value is JSON, or a string when it is not valid JSON', () => {
    assert.deepEqual(filter('json', '{ "a": 1 }'), { ok: true, value: '{"a":1}' })
    assert.deepEqual(filter('json', 'terrace'), { ok: true, value: '"terrace"' })
  })

  test('blocks are an array of known nodes, also in drafts', () => {
    const text = { type: 'text', text: 'x', bold: true }
    const fine = [
      { type: 'heading', level: 2, children: [text] },
      { type: 'paragraph', children: [{ type: 'link', url: 'https://example.test', children: [text] }] },
      {
        type: 'list',
        format: 'ordered',
        children: [
          { type: 'list-item', children: [text] },
          { type: 'list', format: 'unordered', children: [{ type: 'list-item', children: [text] }] },
        ],
      },
      { type: 'quote', children: [text] },
      { type: 'code', children: [text] },
      { type: 'code', children: [] },
      { type: 'image', image: { url: '/a.png' }, children: [{ type: 'text', text: '' }] },
      { type: 'paragraph', children: [{ type: 'text', text: '' }] },
    ]
    assert.deepEqual(roundTrip('blocks', fine), fine)
    assert.deepEqual(roundTrip('blocks', []), [])
    assertRefused('blocks', [{}, 'text', 5, [5], [null], [{}], [[]], [{ type: 'constructor', children: [] }]])
    assert.equal(parse('blocks', [{ type: 'nope' }], {}, 'draft').ok, false)
  })

  test('a link cannot have a URL that runs code, however it is written', () => {
    const text = { type: 'text', text: 'x' }
    const to = (url: string) => [{ type: 'paragraph', children: [{ type: 'link', url, children: [text] }] }]
    for (const url of [
      '',
      '/menu',
      'menu/today?x=javascript:1',
      '#javascript:',
      '//example.test',
      './javascript:a',
      'mailto:a@example.test',
      'tel:+49123',
      'HTTPS://example.test',
      'java script:alert(1)',
      'data',
      'database:x',
    ])
      assert.deepEqual(roundTrip('blocks', to(url)), to(url))
    for (const url of [
      'javascript:alert(1)',
      'JavaScript:alert(1)',
      ' \u0001\n javascript:alert(1)',
      'java\tscr\nipt\r:alert(1)',
      'vbscript:msgbox',
      'data:text/html,<script>',
      '\tDATA:text/html;base64,x',
    ])
      for (const strictness of ['draft', 'full'] as const)
        assert.equal(parse('blocks', to(url), {}, strictness).ok, false, url)
  })

  test('an image cannot have a URL that runs code, nor can its preview and its formats', () => {
    const withImage = (image: object) => [{ type: 'image', image, children: [{ type: 'text', text: '' }] }]
    const of = (url: string) => withImage({ url })
    for (const image of [
      { url: '/a.png', previewUrl: 'javascript:alert(1)' },
      { url: '/a.png', formats: { small: { url: '/s.png' }, thumbnail: { url: '\tjavascript:alert(1)' } } },
    ])
      assert.equal(parse('blocks', withImage(image), {}, 'draft').ok, false, JSON.stringify(image))
    const harmless = { url: '/a.png', previewUrl: null, formats: { small: { url: '/s.png' } } }
    assert.deepEqual(roundTrip('blocks', withImage(harmless)), withImage(harmless))
    for (const url of ['/a.png', 'https://example.test/a.svg', 'a.png', 'data:image/png;base64,AAAA'])
      assert.deepEqual(roundTrip('blocks', of(url)), of(url))
    for (const url of [
      'javascript:alert(1)',
      ' JAVA\tSCRIPT:alert(1)',
      'vbscript:msgbox',
      'data:text/html,<script>',
      'data:image/svg+xml,<svg onload="alert(1)"/>',
    ])
      for (const strictness of ['draft', 'full'] as const)
        assert.equal(parse('blocks', of(url), {}, strictness).ok, false, url)
  })

  test('a problem inside blocks has a path', () => {
    const places: readonly [blocks: unknown, path: readonly string[]][] = [
      [[{ type: 'nope', children: [] }], ['0']],
      [[{ type: 'heading', level: 9, children: [{ type: 'text', text: 'x' }] }], ['0', 'level']],
      [[{ type: 'paragraph' }], ['0', 'children']],
      [[{ type: 'paragraph', children: [{ type: 'text', text: 5 }] }], ['0', 'children', '0', 'text']],
      [
        [{ type: 'paragraph', children: [{ type: 'text', text: '', bold: 'yes' }] }],
        ['0', 'children', '0', 'bold'],
      ],
      [[{ type: 'paragraph', children: [{ type: 'link', children: [] }] }], ['0', 'children', '0', 'url']],
      [[{ type: 'list', children: [] }], ['0', 'format']],
      [[{ type: 'image' }], ['0', 'image']],
      [[{ type: 'image', image: {} }], ['0', 'image', 'url']],
      [[{ type: 'image', image: { url: '' } }], ['0', 'image', 'url']],
      [[{ type: 'paragraph', children: [] }], ['0', 'children']],
      [[{ type: 'quote', children: [] }], ['0', 'children']],
      [[{ type: 'heading', level: 1, children: [] }], ['0', 'children']],
      [[{ type: 'list', format: 'ordered', children: [] }], ['0', 'children']],
      [
        [{ type: 'list', format: 'ordered', children: [{ type: 'list-item', children: [] }] }],
        ['0', 'children', '0', 'children'],
      ],
      [[{ type: 'code', children: [LINK] }], ['0', 'children', '0']],
      [
        [{ type: 'paragraph', children: [{ ...LINK, children: [LINK] }] }],
        ['0', 'children', '0', 'children', '0'],
      ],
    ]
    for (const [input, path] of places) {
      const parsed = parse('blocks', input)
      assert.ok(!parsed.ok)
      assert.deepEqual(parsed.path, path)
    }
  })
})
