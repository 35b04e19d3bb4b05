export const about = {
  'about.title': (p: { shop: string }) => `About ${p.shop}`,
  'about.certificates': 'Licence and certificates',
  'about.certificate': (p: { number: string }) => `Certificate ${p.number}`,
  'about.phone': 'Phone',
  'about.email': 'Email',
  'about.address': 'Address',
  'about.hours': 'Opening hours',
  'about.map': 'Map',
  'about.open-map': 'Show on the map',
}
