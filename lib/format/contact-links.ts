// Addresses that call or write to a stored phone number, such as 017… or 02…, from any country.

export const callLink = (phone: string): string => `tel:+88${phone}`

export const whatsappLink = (phone: string): string => `https://wa.me/88${phone}`
