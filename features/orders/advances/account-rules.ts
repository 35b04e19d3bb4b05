/** The accounts for advances by hand. An empty number is not offered. */
export interface AdvanceAccounts {
  bank: { bank: string; branch: string; accountName: string; accountNumber: string; routingNumber: string }
  bkash: string
  nagad: string
}

/** Whether an advance can be sent anywhere. Without an account it is not offered. */
export const hasAccount = ({ bank, bkash, nagad }: AdvanceAccounts): boolean => `${bank.accountNumber}${bkash}${nagad}` !== ''
