import { ServerOnly } from '#components/server-only.tsx'
import { StoreLayout } from '../layout.tsx'
import { About, type AboutProps } from './about.static.tsx'

export type Props = AboutProps

export function Page(props: Props) {
  return (
    <StoreLayout>
      <ServerOnly id="about">{import.meta.env.SSR ? <About {...props} /> : null}</ServerOnly>
    </StoreLayout>
  )
}
