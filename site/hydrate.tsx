import { type ComponentType } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { AppRoot, type Shell } from './app-root.tsx'

/** Wakes the page on its mount element with the props that the server rendered it with. */
export function hydratePage<Props extends object>(Page: ComponentType<Props>): void {
  const mount = document.getElementById('app')
  if (!mount?.dataset.props) return
  const { shell, props }: { shell: Shell; props: Props } = JSON.parse(mount.dataset.props)
  hydrateRoot(
    mount,
    <AppRoot shell={shell}>
      <Page {...props} />
    </AppRoot>,
  )
}
