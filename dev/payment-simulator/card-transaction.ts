import { createHash } from 'node:crypto'
import { parseGatewayAmount } from '#features/payments/amounts.ts'
import { signature } from '#features/payments/gateways/sslcommerz-signature.server.ts'
import type { Faults } from './faults.ts'
import type { CardSession } from './state.ts'
import { decimalTaka, type Poisha } from '#lib/format/money.ts'

type Fields = Record<string, string>

export const INSTRUMENTS: Record<string, { label: string; cardType: string; issuer: string; brand: string; number: string }> = {
  bkash: { label: 'bKash', cardType: 'BKASH-BKash', issuer: 'BKash Mobile Banking', brand: 'MOBILEBANKING', number: '' },
  nagad: { label: 'Nagad', cardType: 'NAGAD-Nagad', issuer: 'Nagad', brand: 'MOBILEBANKING', number: '' },
  visa: { label: 'VISA', cardType: 'VISA-Dutch Bangla', issuer: 'DUTCH-BANGLA BANK LTD.', brand: 'VISA', number: '411111XXXXXX1111' },
}

/** An instant as SSLCommerz writes it: Dhaka wall time without a zone. */
export function wallTime(at: Date): string {
  return new Date(at.getTime() + 6 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')
}

/** The amount fields and names of a payment as validation, query and notification show them, faults included. */
export function paidFields(session: CardSession, storeId: string, faults: Faults): Fields {
  const instrument = INSTRUMENTS[session.instrument] ?? INSTRUMENTS['bkash']!
  const requested = parseGatewayAmount(faults.paidAmount ?? session.fields['total_amount']) ?? (0 as Poisha)
  const currency = faults.paidCurrency ?? 'BDT'
  return {
    amount: faults.shortAmount ? String(requested / 100) : decimalTaka(requested),
    bank_tran_id: session.bankTranId,
    base_fair: '0.00',
    card_brand: instrument.brand,
    card_issuer: instrument.issuer,
    card_issuer_country: 'Bangladesh',
    card_issuer_country_code: 'BD',
    card_no: instrument.number,
    card_sub_brand: 'Classic',
    card_type: instrument.cardType,
    currency,
    currency_amount: decimalTaka(requested),
    currency_rate: '1.0000',
    currency_type: currency,
    error: '',
    risk_level: faults.risky ? '1' : '0',
    risk_title: faults.risky ? 'Not Safe' : 'Safe',
    status: 'VALID',
    store_amount: decimalTaka(Math.floor(requested * 0.975) as Poisha),
    store_id: faults.storeId ?? storeId,
    tran_date: wallTime(session.at),
    tran_id: faults.tranId ?? session.fields['tran_id']!,
    val_id: session.valId,
    ...echoed(session),
  }
}

/** A failed or cancelled try carries no `val_id`; its `error` is a text. */
export function failedFields(session: CardSession, status: string, storeId: string): Fields {
  const { val_id: _none, ...fields } = paidFields(session, storeId, {})
  return {
    ...fields,
    status,
    error: status === 'FAILED' ? 'Declined by the demo bank' : 'Cancelled by customer',
    bank_tran_id: '',
    card_no: '',
  }
}

function echoed(session: CardSession): Fields {
  return Object.fromEntries(['value_a', 'value_b', 'value_c', 'value_d'].map((key) => [key, session.fields[key] ?? '']))
}

/** Adds `verify_key` and both signatures. As the real one does, it signs `69.00` even where it posts `69`. */
export function signed(fields: Fields, storePassword: string, broken: boolean): Fields {
  const withKey = { ...fields, verify_key: Object.keys(fields).sort().join(',') }
  const amount = parseGatewayAmount(fields['amount'])
  const form = amount === null ? withKey : { ...withKey, amount: decimalTaka(amount) }
  const sign = (algorithm: 'md5' | 'sha256') => {
    const text = signature(form, storePassword, algorithm)
    return broken ? createHash(algorithm).update(text).digest('hex') : text
  }
  return { ...withKey, verify_sign: sign('md5'), verify_sign_sha2: sign('sha256') }
}
