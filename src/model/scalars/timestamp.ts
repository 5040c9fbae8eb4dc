/** The same as `datetime`. */
export { datetime as timestamp } from './datetime.ts'
