// The interface to an email server. `smtp.server.ts` implements it; a demo uses `logOnlyEmail`.

export interface Email {
  /** The same for every attempt, so that mail programs show a repeated message once. Without angle brackets. */
  messageId: string
  to: string
  /** The name shown as the sender. */
  fromName: string
  /** The address that answers go to; null: the sender's. */
  replyTo: string | null
  subject: string
  text: string
  html: string
}

/** `refused`: the server will never accept this message. `later`: a retry may succeed; `isServerProblem`: it concerns all messages. */
export type EmailOutcome =
  | { state: 'sent' }
  | { state: 'refused'; code: string }
  | { state: 'later'; code: string; isServerProblem: boolean }

/** Does not throw for errors of the network or the server. */
export interface EmailGateway {
  /** Sends one message. Ends within `EMAIL_DEADLINE_MS`. */
  send(email: Email): Promise<EmailOutcome>
}
