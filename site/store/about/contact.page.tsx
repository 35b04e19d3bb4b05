import { ServerOnly } from '#components/server-only.tsx'
import { StoreLayout } from '../layout.tsx'
import { Contact, type ContactProps } from './about.static.tsx'

export type Props = ContactProps

export function Page(props: Props) {
  return (
    <StoreLayout>
      <ServerOnly id="contact">{import.meta.env.SSR ? <Contact {...props} /> : null}</ServerOnly>
    </StoreLayout>
  )
}
