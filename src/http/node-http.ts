/**
 * Parts of `node:http`, taken out of it as they are. An import would have it load all that it exports, a client for
 * WebSockets included, and that takes longer than everything else in this room.
 */
export const { createServer, ServerResponse } = process.getBuiltinModule('node:http')
