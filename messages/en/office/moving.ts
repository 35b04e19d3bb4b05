// Lists that are put in order by hand.
export const moving = {
  'moving.up': (p: { name: string }) => `Move ${p.name} up`,
  'moving.down': (p: { name: string }) => `Move ${p.name} down`,
}
