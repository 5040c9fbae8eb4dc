/**
 * Cases in which the recorded server was wrong, with the correct responses. They have the format of the recorded cases:
 * values that differ between runs are placeholders such as `{{id}}`.
 */
import type { Case, Expectation, Json, Step } from './recording.ts'
import { replayOnEachEngine } from './suite.ts'

const document = (key: string, attributes: Record<string, Json>): Json => ({
  id: '{{id}}',
  documentId: `{{docId:${key}}}`,
  ...attributes,
})

const get = (url: string, expect: Expectation): Step => {
  const [path = '', query = ''] = url.split('?')
  return { method: 'GET', path, query: encodeURI(query), auth: 'full', expect }
}

const one = (data: Json): Expectation => ({ status: 200, body: { data, meta: {} } })
const refused: Expectation = { status: 400, error: 'ValidationError' }

/** One page with all results. */
const list = (...data: Json[]): Expectation => ({
  status: 200,
  body: {
    data,
    meta: {
      pagination: { page: 1, pageSize: 25, pageCount: data.length > 0 ? 1 : 0, total: data.length },
    },
  },
})

/** Restaurants with these keys, and only their names. */
const restaurants = (...names: [key: string, name: string][]) =>
  list(...names.map(([key, name]) => document(key, { name })))

const read = (name: string, url: string, expect: Expectation): Case => ({ name, steps: [get(url, expect)] })

/** Creates a document with the key `x`, runs the steps, and deletes it. */
const withDocument = (name: string, plural: string, data: Record<string, Json>, ...steps: Step[]): Case => ({
  name,
  writes: true,
  steps: [
    { key: 'x', method: 'POST', path: `/api/${plural}`, auth: 'full', body: { data } },
    ...steps,
    {
      method: 'DELETE',
      path: `/api/${plural}/{{x.documentId}}`,
      query: 'locale=*',
      auth: 'full',
      cleanup: true,
      expect: { status: 204 },
    },
  ],
})

const put = (
  plural: string,
  data: Record<string, Json>,
  query = '',
  expect: Expectation = { status: 200 },
): Step => ({
  method: 'PUT',
  path: `/api/${plural}/{{x.documentId}}`,
  query,
  auth: 'full',
  body: { data },
  expect,
})

const NAMES = 'sort=name&fields[0]=name'

replayOnEachEngine([
  read(
    'filters: $contains tells capitals from small letters',
    `/api/restaurants?filters[name][$contains]=alba&${NAMES}`,
    restaurants(['r9', 'alba verde']),
  ),
  read(
    'filters: $startsWith tells capitals from small letters',
    `/api/restaurants?filters[name][$startsWith]=Alba&${NAMES}`,
    restaurants(['r1', 'Alba Trattoria']),
  ),
  read(
    'filters: $endsWith tells capitals from small letters',
    `/api/restaurants?filters[name][$endsWith]=bar&${NAMES}`,
    restaurants(),
  ),
  read(
    'filters: $notContains tells capitals from small letters',
    `/api/restaurants?filters[name][$notContains]=a&filters[name][$startsWith]=A&${NAMES}`,
    restaurants(),
  ),
  read(
    'filters: the operators that ignore case fold letters of every script',
    `/api/restaurants?filters[name][$startsWithi]=ü&${NAMES}`,
    restaurants(['r7', 'Ünïcode 寿司']),
  ),
  read(
    'filters: $eqi folds letters outside ASCII',
    `/api/restaurants?filters[name][$eqi]=CHEZ ÉMILE&${NAMES}`,
    restaurants(['r3', 'Chez Émile']),
  ),
  read(
    'filters: a relation of a type without drafts is followed to the version that is shown',
    '/api/people?filters[managed_restaurant][stars]=4&sort=first_name&fields[0]=first_name',
    list(document('p1', { first_name: 'Pia' })),
  ),
  read(
    'filters: $not inside a relation asks for a related document that differs',
    `/api/restaurants?filters[chef][$not][name]=Ana Ruiz&${NAMES}`,
    restaurants(
      ['r5', '50% Off_Diner'],
      ['r1', 'Alba Trattoria'],
      ['r2', 'Blue Fin'],
      ['r8', 'emoji 🍕 Place'],
      ['r7', 'Ünïcode 寿司'],
    ),
  ),
  read('search: private attributes are not searched', `/api/restaurants?_q=pays&${NAMES}`, restaurants()),
  read(
    'search: private attributes of other types are not searched either',
    '/api/accounts?_q=key-1&sort=login&fields[0]=login',
    list(),
  ),
  read(
    'search: an underscore is an ordinary character',
    `/api/restaurants?_q=_&${NAMES}`,
    restaurants(['r5', '50% Off_Diner']),
  ),
  read(
    'populate: limit bounds a populated list',
    '/api/restaurants/{{r1.documentId}}?fields[0]=name&populate[categories][limit]=1&populate[categories][sort]=rank&populate[categories][fields]=name',
    one(document('r1', { name: 'Alba Trattoria', categories: [document('c1', { name: 'Pizza' })] })),
  ),
  read(
    'populate: limit and start apply to each document by itself',
    '/api/restaurants?sort=name&fields[0]=name&populate[categories][start]=1&populate[categories][limit]=1&populate[categories][fields]=name&pagination[start]=0&pagination[limit]=2&pagination[withCount]=false',
    {
      status: 200,
      body: {
        data: [
          document('r5', { name: '50% Off_Diner', categories: [document('c1', { name: 'Pizza' })] }),
          document('r1', { name: 'Alba Trattoria', categories: [document('c6', { name: 'Fine Dining' })] }),
        ],
        meta: { pagination: { start: 0, limit: 2 } },
      },
    },
  ),
  {
    name: 'users: an unknown user is not found',
    steps: [
      {
        method: 'GET',
        path: '/api/users/{{user1.documentId}}',
        auth: 'full',
        expect: { status: 404, error: 'NotFoundError' },
      },
    ],
  },
  withDocument(
    'components: ids shown by a published read can be sent back',
    'restaurants',
    { name: 'Sane 1', menu: [{ title: 'A', position: 3 }] },
    {
      ...get('/api/restaurants/{{x.documentId}}?fields[0]=name&populate=menu', { status: 200 }),
      key: 'row',
    },
    put('restaurants', { menu: [{ id: '{{row.menu.0.id}}', title: 'B' }] }),
    get(
      '/api/restaurants/{{x.documentId}}?fields[0]=name&populate=menu',
      one(document('x', { name: 'Sane 1', menu: [{ id: '{{id}}', title: 'B', position: 3 }] })),
    ),
  ),
  withDocument(
    'components: null clears a repeatable component and a zone',
    'restaurants',
    { name: 'Sane 2', menu: [{ title: 'A' }], zone: [{ __component: 'block.quote', text: 'Q' }] },
    put('restaurants', { menu: null, zone: null }),
    get(
      '/api/restaurants/{{x.documentId}}?fields[0]=name&populate=menu,zone',
      one(document('x', { name: 'Sane 2', menu: [], zone: [] })),
    ),
  ),
  withDocument(
    'components: a zone entry with a foreign id is refused',
    'restaurants',
    { name: 'Sane 3', zone: [{ __component: 'block.quote', text: '1' }] },
    put('restaurants', { zone: [{ __component: 'block.quote', id: 999999, text: '2' }] }, '', {
      status: 400,
      error: 'ApplicationError',
    }),
    get(
      '/api/restaurants/{{x.documentId}}?fields[0]=name&populate=zone',
      one(
        document('x', {
          name: 'Sane 3',
          zone: [{ id: '{{id}}', __component: 'block.quote', text: '1', author: null }],
        }),
      ),
    ),
  ),
  withDocument(
    'locales: a change to what locales share reaches drafts and published versions of all of them',
    'articles',
    { title: 'Sane 4', views: 1 },
    put('articles', { title: 'Sane 4 fr' }, 'locale=fr'),
    put('articles', { views: 42 }),
    ...['locale=fr', 'locale=fr&status=draft', 'locale=en', 'locale=en&status=draft'].map((version) =>
      get(`/api/articles/{{x.documentId}}?fields[0]=views&${version}`, one(document('x', { views: 42 }))),
    ),
  ),
  withDocument(
    'locales: the same holds for a change in a secondary locale',
    'articles',
    { title: 'Sane 5', views: 1 },
    put('articles', { title: 'Sane 5 fr', views: 7 }, 'locale=fr'),
    ...['locale=fr', 'locale=fr&status=draft', 'locale=en', 'locale=en&status=draft'].map((version) =>
      get(`/api/articles/{{x.documentId}}?fields[0]=views&${version}`, one(document('x', { views: 7 }))),
    ),
  ),
  withDocument(
    'relations: a numeric id names the document, so both versions show the relation',
    'restaurants',
    { name: 'Sane 6', chef: '{{ch1_row.id}}' },
    get(
      '/api/restaurants/{{x.documentId}}?fields[0]=name&populate[chef][fields]=name',
      one(document('x', { name: 'Sane 6', chef: document('ch1', { name: 'Ana Ruiz' }) })),
    ),
    get(
      '/api/restaurants/{{x.documentId}}?fields[0]=name&populate[chef][fields]=name&status=draft',
      one(document('x', { name: 'Sane 6', chef: document('ch1', { name: 'Ana Ruiz' }) })),
    ),
  ),
  withDocument(
    'values: big integers are exact',
    'restaurants',
    { name: 'Sane 7', visitors: '-9007199254740993' },
    get(
      '/api/restaurants/{{x.documentId}}?fields[0]=visitors',
      one(document('x', { visitors: '-9007199254740993' })),
    ),
    get(
      '/api/restaurants?filters[visitors]=-9007199254740993&fields[0]=visitors',
      list(document('x', { visitors: '-9007199254740993' })),
    ),
    get('/api/restaurants?filters[visitors]=-9007199254740992&fields[0]=visitors', list()),
  ),
  withDocument(
    'values: JSON comes back as it was sent',
    'restaurants',
    { name: 'Sane 8', extra: true },
    get('/api/restaurants/{{x.documentId}}?fields[0]=extra', one(document('x', { extra: true }))),
    put('restaurants', { extra: '{"not":"parsed"}' }),
    get(
      '/api/restaurants/{{x.documentId}}?fields[0]=extra',
      one(document('x', { extra: '{"not":"parsed"}' })),
    ),
  ),
  {
    name: 'values: one response lists all invalid values of a body',
    writes: true,
    steps: [
      {
        method: 'POST',
        path: '/api/restaurants',
        auth: 'full',
        body: { data: { name: 'a', stars: 9, cuisine: 'zzz', contact_email: 'nope', average_price: -1 } },
        expect: {
          ...refused,
          paths: ['average_price', 'contact_email', 'cuisine', 'name', 'stars'],
        },
      },
    ],
  },
  {
    ...withDocument('actions: a draft can be published and unpublished', 'articles', { title: 'Sane 9' }),
    steps: [
      {
        key: 'x',
        method: 'POST',
        path: '/api/articles',
        query: 'status=draft',
        auth: 'full',
        body: { data: { title: 'Sane 9' } },
      },
      get('/api/articles/{{x.documentId}}?fields[0]=title', { status: 404, error: 'NotFoundError' }),
      {
        method: 'POST',
        path: '/api/articles/{{x.documentId}}/actions/publish',
        auth: 'full',
        expect: { status: 200 },
      },
      get('/api/articles/{{x.documentId}}?fields[0]=title', one(document('x', { title: 'Sane 9' }))),
      {
        method: 'POST',
        path: '/api/articles/{{x.documentId}}/actions/unpublish',
        auth: 'full',
        expect: { status: 200 },
      },
      get('/api/articles/{{x.documentId}}?fields[0]=title', { status: 404, error: 'NotFoundError' }),
      {
        method: 'DELETE',
        path: '/api/articles/{{x.documentId}}',
        query: 'locale=*',
        auth: 'full',
        cleanup: true,
        expect: { status: 204 },
      },
    ],
  },
])
