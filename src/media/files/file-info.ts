/** Parses the `fileInfo` of an upload: the name, texts and folder of a file. */
import { errors } from '../../errors.ts'
import { type Crop, parseCrop } from '../images/crop.ts'
import { parseFolderPath, printable } from './names.ts'

/** Absent keys keep the current value; null clears it. */
export interface FileInfo {
  readonly name?: string
  readonly alternativeText?: string | null
  readonly caption?: string | null
  readonly focalPoint?: { readonly x: number; readonly y: number } | null
  /** The part of the original image that is shown; null shows all of it. */
  readonly crop?: Crop | null
  readonly folder?: string
}

const KEYS = ['name', 'alternativeText', 'caption', 'focalPoint', 'crop', 'folder']

const MAX_TEXT_LENGTH = 10_000

/** One for each file, in order: JSON objects, or one JSON list of them. */
export function parseFileInfos(values: readonly unknown[]): FileInfo[] {
  return values.flatMap(parsedJson).map(parseFileInfo)
}

function parsedJson(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    throw errors.invalid('fileInfo must be JSON, such as {"alternativeText": "A red square"}')
  }
}

function parseFileInfo(value: unknown): FileInfo {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw errors.invalid('fileInfo must be a JSON object, or a list with one for each file')
  const given = new Map<string, unknown>(Object.entries(value))
  for (const key of given.keys())
    if (!KEYS.includes(key)) throw errors.invalidKey({ key, path: 'fileInfo', source: 'body' })
  const name = optionalText(given, 'name')
  const alternativeText = optionalText(given, 'alternativeText')
  const caption = optionalText(given, 'caption')
  const folder = optionalText(given, 'folder')
  return {
    ...(name && printable(name) !== '' ? { name: printable(name) } : {}),
    ...(alternativeText !== undefined ? { alternativeText } : {}),
    ...(caption !== undefined ? { caption } : {}),
    ...(given.has('focalPoint') ? { focalPoint: focalPoint(given.get('focalPoint')) } : {}),
    ...(given.has('crop') ? { crop: parseCrop(given.get('crop')) } : {}),
    ...(folder !== undefined ? { folder: parseFolderPath(folder ?? '') } : {}),
  }
}

function optionalText(given: ReadonlyMap<string, unknown>, key: string): string | null | undefined {
  const value = given.get(key)
  if (value === undefined || value === null) return value
  const fits = typeof value === 'string' && value.length <= MAX_TEXT_LENGTH && value.isWellFormed()
  if (!fits || value.includes('\0'))
    throw errors.invalid(`fileInfo.${key} must be a string of at most ${MAX_TEXT_LENGTH} characters, or null`)
  return value
}

/** The point that stays visible when an image is cropped, in percent from the top left corner. */
function focalPoint(value: unknown): { x: number; y: number } | null {
  if (value === null) return null
  if (typeof value === 'object' && value !== null && 'x' in value && 'y' in value) {
    const { x, y } = value
    if (isPercentage(x) && isPercentage(y) && Object.keys(value).length === 2) return { x, y }
  }
  throw errors.invalid('fileInfo.focalPoint must be {"x": …, "y": …} with numbers from 0 to 100, or null')
}

const isPercentage = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value <= 100

/** The attributes that an info changes, without the name and the crop. */
export function attributesOf({ alternativeText, caption, focalPoint, folder }: FileInfo) {
  return {
    ...(alternativeText === undefined ? {} : { alternativeText }),
    ...(caption === undefined ? {} : { caption }),
    ...(focalPoint === undefined ? {} : { focalPoint }),
    ...(folder === undefined ? {} : { folderPath: folder }),
  }
}
