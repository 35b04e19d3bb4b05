/** The accounts of the demo shop, and of no other [C13]. */
export const DEMO_PASSWORD = 'khamar-demo'

export const ACCOUNTS = [
  { role: 'owner', name: 'Abdul Karim', phone: '01711000001', email: 'owner@khamar.example' },
  { role: 'manager', name: 'Rokeya Begum', phone: '01711000002', email: 'manager@khamar.example' },
  { role: 'sales', name: 'Tanvir Hasan', phone: '01711000003', email: 'sales@khamar.example' },
  { role: 'cashier', name: 'Shirin Akter', phone: '01711000004', email: 'cashier@khamar.example' },
  { role: 'weigher', name: 'Jamal Uddin', phone: '01711000005', email: 'weigher@khamar.example' },
  { role: 'viewer', name: 'Nusrat Jahan', phone: '01711000006', email: 'viewer@khamar.example' },
  { role: 'customer', name: 'Farhana Rahman', phone: '01811000001', email: 'farhana@customer.example' },
  { role: 'customer', name: 'মোহাম্মদ সেলিম', phone: '01811000002', email: 'selim@customer.example' },
] as const
