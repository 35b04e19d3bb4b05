import { ADVANCE_METHODS, type AdvanceMethod } from '../types.ts'

/** The accounts for advances by hand. An empty number is not offered. */
export interface AdvanceAccounts {
  bank: { bank: string; branch: string; accountName: string; accountNumber: string; routingNumber: string }
  bkash: string
  nagad: string
}

/** The methods by which an advance can be sent. Without any it is not offered. */
export const offeredMethods = ({ bank, ...wallets }: AdvanceAccounts): AdvanceMethod[] =>
  ADVANCE_METHODS.filter((method) => (method === 'bank' ? bank.accountNumber : wallets[method]))
