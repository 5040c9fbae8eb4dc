/** The tools for content, in the order in which they are offered. */
import type { Tool } from '../tool.ts'
import { describeModel } from './describe.ts'
import { documentHistory } from './history.ts'
import { findDocuments, getDocument } from './read.ts'
import { searchDocuments } from './search.ts'
import { deleteDocument, publishDocument, unpublishDocument } from './versions.ts'
import { createDocument, updateDocument } from './write.ts'

export const contentTools: readonly Tool[] = [
  describeModel,
  findDocuments,
  getDocument,
  searchDocuments,
  documentHistory,
  createDocument,
  updateDocument,
  publishDocument,
  unpublishDocument,
  deleteDocument,
]
