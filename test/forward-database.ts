import { connect, type Socket } from 'node:net'

/** The same database by TCP at this port of this machine: for a listener of the test's own. */
export function databaseAt(url: string, port: number): string {
  const moved = new URL(url)
  moved.searchParams.delete('host')
  moved.host = `127.0.0.1:${port}`
  return moved.href
}

/** Hands a connection on to the database, which listens on a socket file or by TCP. */
export function forwardToDatabase(url: string, socket: Socket): void {
  const { hostname, port, searchParams } = new URL(url)
  const folder = searchParams.get('host')
  const database = folder ? connect(`${folder}/.s.PGSQL.${port}`) : connect(Number(port), hostname)
  socket.on('error', () => database.destroy())
  database.on('error', () => socket.destroy())
  socket.pipe(database).pipe(socket)
}
