/** Where the problems of a document are kept that is about to be opened, so that its form shows them. */
export const problemsKey = (documentId: string | null) => ['problems', documentId]
