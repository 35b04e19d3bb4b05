export { seedDemo } from './demo/seed-demo.ts'
