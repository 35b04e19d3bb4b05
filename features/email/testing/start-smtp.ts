import { once } from 'node:events'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

/** How the server misbehaves at its next messages, one entry each; none: it accepts. */
export type SmtpFault = 'hang' | 'drop' | { at: 'MAIL' | 'RCPT' | 'DATA'; status: number }

export interface TestSmtp {
  port: number
  received: ParsedMail[]
  faults: SmtpFault[]
  close(): Promise<void>
}

/** A real SMTP server on a free port, without TLS unless `options` say so. */
export async function startSmtp(options: SMTPServerOptions = {}): Promise<TestSmtp> {
  const received: ParsedMail[] = []
  const faults: SmtpFault[] = []
  const sockets = new Set<Socket>()
  const failAt = (stage: 'MAIL' | 'RCPT' | 'DATA') => {
    const fault = faults[0]
    if (typeof fault !== 'object' || fault.at !== stage) return undefined
    faults.shift()
    return Object.assign(new Error('refused by the test'), { responseCode: fault.status })
  }
  async function receive(stream: Readable, done: (error?: Error) => void): Promise<void> {
    const mail = await simpleParser(stream).catch(() => null)
    // The sender went away in the middle of the message.
    if (!mail) return
    if (faults[0] === 'hang') return void faults.shift()
    if (faults[0] === 'drop') {
      faults.shift()
      for (const socket of sockets) socket.destroy()
      return
    }
    const error = failAt('DATA')
    if (!error) received.push(mail)
    done(error)
  }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: options.key ? [] : ['STARTTLS'],
    onMailFrom: (_address, _session, done) => done(failAt('MAIL')),
    onRcptTo: (_address, _session, done) => done(failAt('RCPT')),
    onData: (stream, _session, done) => void receive(stream, done),
    ...options,
  })
  server.on('error', () => {})
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as { port: number }
  return {
    port,
    received,
    faults,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => server.close(resolve))
    },
  }
}
