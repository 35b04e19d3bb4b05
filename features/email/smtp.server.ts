import type { SendMailOptions } from 'nodemailer'
import { isEmail } from '#lib/format/email.ts'
import type { Email, EmailGateway } from './gateway.ts'
import { outcomeOfError, type SmtpError } from './outcome-rules.ts'

export interface SmtpSettings {
  host: string
  port: number
  /** TLS from the first byte; else STARTTLS. */
  isSecure: boolean
  account: { user: string; password: string } | null
  /** `name` null: the shop's name. */
  sender: { name: string | null; address: string }
  /** Certificate authorities beside the known ones; tests use it. */
  ca?: string
  /** Shorter in tests. */
  deadlineMs?: number
}

/** No attempt takes longer. A server that sends a byte now and then never reaches a timeout of the socket. */
export const EMAIL_DEADLINE_MS = 60_000
const CONNECT_MS = 10_000
const SILENCE_MS = 30_000

/**
 * Sends by SMTP, with one connection per message: a shop sends few, and a connection that hangs concerns one of them. A password is sent
 * only over TLS, except to this machine.
 */
export function smtpGateway({ host, port, isSecure, account, sender, ca, deadlineMs = EMAIL_DEADLINE_MS }: SmtpSettings): EmailGateway {
  const isLocal = /^(127\.|localhost$|::1$)/.test(host)
  const options = {
    host,
    port,
    secure: isSecure,
    requireTLS: !isSecure && account !== null && !isLocal,
    ...(account ? { auth: { user: account.user, pass: account.password } } : {}),
    ...(ca ? { tls: { ca } } : {}),
    connectionTimeout: Math.min(CONNECT_MS, deadlineMs),
    greetingTimeout: Math.min(CONNECT_MS, deadlineMs),
    socketTimeout: Math.min(SILENCE_MS, deadlineMs),
    dnsTimeout: Math.min(CONNECT_MS, deadlineMs),
    disableFileAccess: true,
    disableUrlAccess: true,
  }
  return {
    async send(email) {
      if (!isEmail(email.to) || hasControl(email.to)) return { state: 'refused', code: 'address' }
      // Loaded with the first email: a shop without email settings does not need it.
      const { default: nodemailer } = await import('nodemailer')
      // The signal ends the connection: a message that is tried again later must not be sent now.
      const signal = AbortSignal.timeout(deadlineMs)
      try {
        await nodemailer.createTransport(options).sendMail({ ...messageOf(email, sender), signal })
        return { state: 'sent' }
      } catch (error) {
        return outcomeOfError(signal.aborted ? { code: 'ETIMEDOUT' } : (error as SmtpError))
      }
    },
  }
}

/** Addresses are objects: a text would be parsed, and commas in it would add recipients. nodemailer encodes names and subject. */
function messageOf(email: Email, sender: SmtpSettings['sender']): SendMailOptions {
  return {
    messageId: `<${email.messageId}@${sender.address.slice(sender.address.indexOf('@') + 1)}>`,
    from: { name: withoutControls(sender.name ?? email.fromName), address: sender.address },
    to: { name: '', address: email.to },
    ...(email.replyTo !== null && isEmail(email.replyTo) ? { replyTo: { name: '', address: email.replyTo } } : {}),
    subject: withoutControls(email.subject),
    text: email.text,
    html: email.html,
    headers: { 'Auto-Submitted': 'auto-generated' },
  }
}

const CONTROLS = /[\u0000-\u001f\u007f\u2028\u2029]+/g

const hasControl = (text: string) => text.search(CONTROLS) >= 0

function withoutControls(text: string): string {
  return text.replace(CONTROLS, ' ').trim()
}
