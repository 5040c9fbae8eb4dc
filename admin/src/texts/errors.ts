/** Texts of what went wrong. Messages about values come from the server. */
import { plural } from './plural.ts'

export const errorTexts = {
  offline: 'The server cannot be reached. Your work is kept; try again when you are connected.',
  connectionLost: 'The server cannot be reached. What you write is kept; save it when this message is gone.',
  unexpected: 'Something went wrong.',
  status: (status: number) => `The server responded with an error (${status}).`,
  tooMany: (seconds: number) =>
    `Too many attempts. Try again in ${plural(Math.ceil(seconds / 60), 'minute', 'minutes')}.`,
  screen: 'This screen could not be shown',
  partMissing:
    'A part of the app could not be loaded, because the server cannot be reached or has a newer version of the app. Reload the page when you are connected. Your work is kept.',
  reload: 'Reload the page',
  notFound: 'Not found',
  notFoundHint: 'There is nothing at this address, or you may not see it.',
  toHome: 'Go to the start page',
}
