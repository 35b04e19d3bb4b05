// The links of SMS act for their receiver: the key of an order cancels it or reports an advance, a stop link ends campaigns.

/** A member of staff, with the permissions of the role. */
interface Reader {
  can(permission: 'orders.write'): boolean
}

/** A key with what is before it. PostgreSQL reads the expression, too. */
export const LINK_KEY = /([?&]key=|\/stop\/)[\w-]+/g

/** The text of a message as the staff may read it: without the keys of its links for those who may not change orders. */
export function readableText(text: string, staff: Reader): string {
  return staff.can('orders.write') ? text : text.replace(LINK_KEY, '$1•••')
}

/** The messages as the staff may read them. */
export function readableSms<Sms extends { text: string }>(rows: readonly Sms[], staff: Reader): Sms[] {
  return rows.map((sms) => ({ ...sms, text: readableText(sms.text, staff) }))
}
