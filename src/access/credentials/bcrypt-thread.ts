/** The thread that verifies one bcrypt hash and ends. */
import { parentPort, workerData } from 'node:worker_threads'
import { compareSync } from 'bcryptjs'

const { password, hash }: { password: string; hash: string } = workerData

parentPort?.postMessage(compareSync(password, hash))
