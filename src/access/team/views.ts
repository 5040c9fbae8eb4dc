/** How the admin app shows content: the view of each content-type, the navigation, and the lists that people saved. */
import { randomUUID } from 'node:crypto'
import { errors } from '../../errors.ts'
import { isObject } from '../../project/values.ts'
import { compile } from '../../store/compile.ts'
import type { MaybePromise } from '../../store/maybe-promise.ts'
import { type Sql, sql } from '../../store/sql.ts'
import type { Row } from '../../store/statement.ts'
import type { Store, Transaction } from '../../store/store.ts'
import { SAVED_VIEWS, VIEWS } from '../tables.ts'
import { cachedUntilChange } from '../versioned-cache.ts'
import type { StoredTypeView } from './type-view.ts'

/** Groups of content-types in the navigation. Types in no group follow. */
export interface Navigation {
  readonly groups: readonly { readonly name: string; readonly types: readonly string[] }[]
}

export interface Views {
  /** What admins configured, by uid. */
  types(): MaybePromise<ReadonlyMap<string, StoredTypeView>>
  navigation(): MaybePromise<Navigation>
  /** An empty view removes the configuration. */
  setType(uid: string, view: StoredTypeView): Promise<void>
  setNavigation(navigation: Navigation): Promise<void>
  /** The lists that a person saved, and those shared with everyone. */
  saved(account: string): Promise<readonly SavedView[]>
  save(view: Omit<SavedView, 'id'>): Promise<SavedView>
  /** Of a saved view that the person owns; throws a 404 for any other. */
  changeSaved(id: string, account: string, changes: SavedViewChanges): Promise<SavedView>
  /** Also of a shared view, for an admin. */
  removeSaved(id: string, account: string, isAdmin: boolean): Promise<void>
}

/** A list with its filters, sort order and columns, as the query string of the app's address. */
export interface SavedView {
  readonly id: string
  readonly type: string
  readonly name: string
  readonly query: string
  readonly shared: boolean
  /** documentId of the user who saved it. */
  readonly account: string
}

export type SavedViewChanges = Partial<Pick<SavedView, 'name' | 'query' | 'shared'>>

const TYPE = 'type'
const NAVIGATION = 'navigation'

export function createViews(store: Store): Views {
  const stored = cachedUntilChange(
    store,
    () => [VIEWS],
    async () => {
      const rows = await store.read(
        compile(store.dialect, sql`select kind, name, value from ${sql.table(VIEWS)}`),
      )
      const types = rows.filter(({ kind }) => kind === TYPE)
      const navigation = rows.find(({ kind }) => kind === NAVIGATION)
      return {
        types: new Map(types.map((row): [string, StoredTypeView] => [String(row.name), objectOf(row)])),
        navigation: navigation ? storedNavigation(navigation) : { groups: [] },
      }
    },
  )
  const after = <Value, Result>(value: MaybePromise<Value>, then: (value: Value) => Result) =>
    value instanceof Promise ? value.then(then) : then(value)

  const run = (transaction: Transaction, statement: Sql) => transaction.run(compile(store.dialect, statement))

  const set = (kind: string, name: string, value: object) =>
    store.write(async (transaction) => {
      transaction.touch(VIEWS)
      run(transaction, sql`delete from ${sql.table(VIEWS)} where kind = ${kind} and name = ${name}`)
      if (Object.keys(value).length > 0)
        run(
          transaction,
          sql`insert into ${sql.table(VIEWS)} (kind, name, value) values (${kind}, ${name}, ${JSON.stringify(value)})`,
        )
    })

  const savedViews = sql.table(SAVED_VIEWS)

  const select = async (condition: Sql) =>
    (
      await store.read(
        compile(store.dialect, sql`select * from ${savedViews} where ${condition} order by name, id`),
      )
    ).map(savedViewOf)

  return {
    types: () => after(stored(), ({ types }) => types),
    navigation: () => after(stored(), ({ navigation }) => navigation),
    setType: (uid, view) => set(TYPE, uid, view),
    setNavigation: (navigation) => set(NAVIGATION, '', navigation),
    saved: (account) => select(sql`account = ${account} or shared = 1`),

    async save(view) {
      const saved = { id: randomUUID(), ...view }
      const { id, type, name, query, shared, account } = saved
      await store.write(async (transaction) =>
        run(
          transaction,
          sql`insert into ${savedViews} (id, type, name, query, shared, account)
            values (${id}, ${type}, ${name}, ${query}, ${shared ? 1 : 0}, ${account})`,
        ),
      )
      return saved
    },

    async changeSaved(id, account, changes) {
      const [found] = await select(sql`id = ${id} and account = ${account}`)
      if (!found) throw errors.notFound()
      const changed = { ...found, ...changes }
      await store.write(async (transaction) =>
        run(
          transaction,
          sql`update ${savedViews} set name = ${changed.name}, query = ${changed.query},
            shared = ${changed.shared ? 1 : 0} where id = ${id}`,
        ),
      )
      return changed
    },

    async removeSaved(id, account, isAdmin) {
      const mayRemove = isAdmin ? sql`(account = ${account} or shared = 1)` : sql`account = ${account}`
      const removed = await store.write((transaction) =>
        transaction.all(
          compile(
            store.dialect,
            sql`delete from ${savedViews} where id = ${id} and ${mayRemove} returning id`,
          ),
        ),
      )
      if (removed.length === 0) throw errors.notFound()
    },
  }
}

function objectOf({ value }: Row): Readonly<Record<string, unknown>> {
  const parsed: unknown = JSON.parse(String(value))
  return isObject(parsed) ? parsed : {}
}

/** The navigation in a row of the table of views. */
export function storedNavigation(row: Row): Navigation {
  const { groups } = objectOf(row)
  const listed: readonly unknown[] = Array.isArray(groups) ? groups : []
  return {
    groups: listed.filter(isObject).map(({ name, types }) => ({
      name: String(name),
      types: Array.isArray(types) ? types.map(String) : [],
    })),
  }
}

const savedViewOf = (row: Row): SavedView => ({
  id: String(row.id),
  type: String(row.type),
  name: String(row.name),
  query: String(row.query),
  shared: row.shared === 1,
  account: String(row.account),
})
