/**
 * The SQL functions of a connection, and the time limit of its statements. `node:sqlite` cannot interrupt a statement,
 * neither from its own thread nor from another one. Instead, a plan calls a function with every few rows that it follows
 * or filters, and this function throws when the time is over. SQLite then ends the statement and frees its memory.
 */
import type { DatabaseSync } from 'node:sqlite'
import { FOLD, fold } from '../fold/fold.ts'
import { DEADLINE } from '../reads/deadline-function.ts'
import {
  FOLDED_AND_INDEXED_TEXT,
  FULL_TEXT_QUERY,
  fullTextQuery,
  INDEXED_TEXT,
  UNFOLDED_WORDS,
  WORDS,
} from '../search/full-text-query.ts'
import { indexedText, wordsOf, wordsOfUnfolded } from '../search/words.ts'
import { createDeadline, type Deadline } from './deadline.ts'
import { INTERRUPT } from './failures.ts'

class DeadlineExceeded extends Error {
  readonly errcode = INTERRUPT
}

/** Defines the functions that plans use. Without a deadline, statements run for as long as they take. */
export function defineFunctions(database: DatabaseSync): Deadline {
  const deadline = createDeadline()
  const endWhenLate = () => {
    if (deadline.isOver()) throw new DeadlineExceeded('The statement has run for too long')
    return 1
  }
  database.function(DEADLINE, endWhenLate)
  database.function(FOLD, { deterministic: true }, (text) => {
    // Folding a long text takes milliseconds, and one row may be compared with a thousand values.
    endWhenLate()
    return typeof text === 'string' ? fold(text) : text
  })
  database.function(INDEXED_TEXT, { deterministic: true }, (folded) => indexedText(String(folded)))
  database.function(FOLDED_AND_INDEXED_TEXT, { deterministic: true }, (text) =>
    indexedText(fold(String(text))),
  )
  database.function(UNFOLDED_WORDS, { deterministic: true }, (text) =>
    JSON.stringify(wordsOfUnfolded(String(text))),
  )
  database.function(WORDS, { deterministic: true }, (folded) => JSON.stringify(wordsOf(String(folded))))
  database.function(FULL_TEXT_QUERY, { deterministic: true }, (term, found) =>
    fullTextQuery(String(term), JSON.parse(String(found))),
  )
  return deadline
}
