/** The label of an attribute without a view configuration: `startsAt` becomes "Starts at". */
export function labelFromName(name: string): string {
  const words = name
    .replace(/[_-]+/g, ' ')
    .replace(/([a-z\d])([A-Z])/g, (_, before: string, upper: string) => `${before} ${upper.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}
