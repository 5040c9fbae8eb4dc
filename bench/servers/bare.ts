/** The baseline of every ratio: a bare `node:http` server that sends the bytes its parent process gave it. */
import { createServer } from 'node:http'
import { usage } from './child-process.ts'

let answer = { status: 200, headers: {}, body: Buffer.alloc(0) }
const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    response.writeHead(answer.status, answer.headers)
    response.end(answer.body)
  })
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  process.send?.({ address: `http://127.0.0.1:${port}` })
})
process.on('message', (message: { answer?: { status: number; contentType: string; body: string } }) => {
  if (message.answer) {
    const { status, contentType, body } = message.answer
    const bytes = Buffer.from(body)
    answer = { status, headers: { 'content-type': contentType, 'content-length': bytes.length }, body: bytes }
  }
  process.send?.(usage())
})
process.on('disconnect', () => server.close())
