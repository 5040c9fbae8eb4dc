/** Query strings outside the grammar: malformed, contradictory and larger than any limit. */
import fc from 'fast-check'
import type { Parameter } from '../request.ts'
import { flatten, hostileNames, oddTrees } from './trees.ts'

const RAW = [
  ...[
    '%',
    '%zz',
    '%00',
    '%c0%80',
    '%ed%a0%80',
    '%F0%9F%98%88',
    '&&&',
    '=',
    '=&=',
    'a=b=c',
    '[',
    ']',
    '[]=1',
    '[a]=1',
    '+',
    ';',
    '#',
  ],
  ...[
    'filters',
    'filters=',
    'filters[=1',
    'filters[]=1',
    'filters[][]=1',
    'filters[name',
    'filters[name][$eq',
    'filters%5Bname%5D=1',
  ],
  ...[
    'filters[name]=%',
    'filters[name]=%ff',
    'filters[%00]=1',
    'filters[__proto__][x]=1',
    'filters[constructor][prototype][x]=1',
  ],
  ...[
    '__proto__[x]=1',
    '__proto__=1',
    'constructor=1',
    'toString=1',
    'hasOwnProperty=1',
    'sort[__proto__]=asc',
    'populate[__proto__]=*',
  ],
  ...[
    'populate[constructor]=true',
    'populate[toString][fields]=a',
    'fields[toString]=1',
    'pagination[__proto__][page]=2',
    'locale[]=en&locale=fr',
  ],
  ...[
    'status[]=draft',
    'status=draft&status=published',
    'sort=id&sort[0]=id',
    'pagination=1',
    'pagination[page]=1&pagination[page]=2',
    '_q[]=a',
    '_q[a]=b',
  ],
  ...[
    'filters[id]=1&filters=x',
    'populate=*&populate[a]=b',
    'populate=a&populate=b',
    'fields=id&fields[0]=id',
    'explain=true',
    'explain=maybe',
  ],
]

/** Exceeds every limit. */
export const huge: fc.Arbitrary<Parameter[]> = fc
  .tuple(fc.nat(9), fc.constantFrom(3, 30, 45, 70, 600, 1100, 2500))
  .map(([kind, size]): Parameter[] => {
    const raw = (text: string): Parameter => ({ name: text, value: '', style: 'raw' })
    const deep = Math.min(size, 120)
    switch (kind) {
      case 0:
        return [raw(`filters${'[$not]'.repeat(deep)}[id]=1`)]
      case 1:
        return [raw(`filters${'[$and][0]'.repeat(deep >> 1)}[id]=1`)]
      case 2:
        return [raw(`populate${'[branches][populate]'.repeat(deep >> 1)}=*`)]
      case 3:
        return [raw(`populate=${Array(size).fill('branches').join('.')}`)]
      case 4:
        return [raw(`filters${'[headquarters]'.repeat(deep)}[id]=1`)]
      case 5:
        return [raw(`sort=${Array(size).fill('headquarters').join('.')}.name`)]
      case 6:
        return Array.from({ length: size }, (_, index) =>
          raw(`filters[id][$in][${index}]=${1_000_000 + index}`),
        )
      case 7:
        return [raw(`filters[name][$in]=${Array(size).fill('x').join('&filters[name][$in]=')}`)]
      case 8:
        return Array.from({ length: size }, (_, index) => raw(`filters[$or][${index}][name]=${index}`))
      default:
        return [raw(`_q=${'q'.repeat(size)}`), raw(`filters[name][$eq]=${'%F0%9F%98%88'.repeat(size)}`)]
    }
  })

/** A malformed parameter. */
export const mangled: fc.Arbitrary<Parameter[]> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.constantFrom(...RAW).map((text): Parameter[] => [{ name: text, value: '', style: 'raw' }]),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(hostileNames, oddTrees, fc.nat(7))
      .map(([name, tree, bits]) => flatten(tree, name === '' ? 'x' : name, bits)),
  },
)
