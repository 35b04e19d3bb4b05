import type { Socket } from 'node:net'
import type pg from 'pg'

/** The parts of a client that the types of the driver leave out. */
export type ClientParts = pg.Client & {
  /** False while a statement runs. */
  readyForQuery: boolean
  connection: { stream: Socket }
}

/**
 * Ends a connection whose statement gets no byte of an answer for `timeoutMs`, unless `isWorking` says that the server still runs it. A host
 * without power and a firewall that has dropped the connection send nothing: TCP would wait for a quarter of an hour, and the pool would be
 * full of such connections. The statement fails like one whose connection was lost.
 */
export function endWhenSilent(client: ClientParts, timeoutMs: number, isWorking: () => Promise<boolean>): void {
  const { stream } = client.connection
  const check = async () => {
    if (client.readyForQuery) return
    const { bytesRead } = stream
    // The answer takes a moment, in which a process that was suspended reads what has arrived.
    const works = await isWorking()
    if (client.readyForQuery || stream.bytesRead !== bytesRead) return
    if (works) stream.setTimeout(timeoutMs)
    else stream.destroy()
  }
  stream.setTimeout(timeoutMs)
  stream.on('timeout', () => void check())
}
