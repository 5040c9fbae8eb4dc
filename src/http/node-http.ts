/**
 * Parts of `node:http`. An import statement would make Node evaluate every export of the module, including a WebSocket
 * client, which takes longer than loading the rest of this layer.
 */
export const { createServer, ServerResponse, STATUS_CODES } = process.getBuiltinModule('node:http')
