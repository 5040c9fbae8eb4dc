export function ApiScreen() {
  return null
}
