/** The navigation: a column beside the screen, or a drawer on a phone. */
import { ActionIcon, Drawer } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconHome, IconMenu2, IconSearch } from '@tabler/icons-react'
import { Link, useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { ContentTypeView, Me } from '../../api/types.ts'
import links from '../../parts/navigation-link.module.css'
import { texts } from '../../texts.ts'
import { useMe } from '../me.tsx'
import { Wordmark } from '../wordmark.tsx'
import styles from './navigation.module.css'
import { PersonMenu } from './person-menu.tsx'
import { permittedPlaces } from './places.ts'

interface NavigationProps {
  readonly onSearch: () => void
  /** When the pointer reaches a button that searches. */
  readonly onBeforeSearch: () => void
  readonly onShortcuts: () => void
}

export function Navigation(props: NavigationProps) {
  const [isOpen, { open, close }] = useDisclosure(false)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: following a link closes the drawer.
  useEffect(close, [path])
  return (
    <>
      <header className={styles.bar}>
        <ActionIcon size="lg" onClick={open} aria-label={texts.navigation.open}>
          <IconMenu2 size={20} stroke={1.5} />
        </ActionIcon>
        <Wordmark />
        <ActionIcon size="lg" onClick={props.onSearch} aria-label={texts.navigation.search}>
          <IconSearch size={18} stroke={1.5} />
        </ActionIcon>
      </header>
      <Drawer opened={isOpen} onClose={close} size={280} withCloseButton={false} padding={0} title={null}>
        <Column {...props} />
      </Drawer>
      <div className={styles.side}>
        <Column {...props} />
      </div>
    </>
  )
}

function Column({ onSearch, onBeforeSearch, onShortcuts }: NavigationProps) {
  const me = useMe()
  return (
    <div className={styles.column}>
      <div className={styles.head}>
        <Wordmark />
      </div>
      <button type="button" className={styles.search} onClick={onSearch} onPointerEnter={onBeforeSearch}>
        <IconSearch size={15} stroke={1.5} aria-hidden />
        <span>{texts.navigation.search}</span>
        <kbd>{isMac ? '⌘K' : 'Ctrl K'}</kbd>
      </button>
      <nav className={styles.navigation} aria-label={texts.navigation.label}>
        <div className={styles.links}>
          <Link
            to="/"
            className={links.link}
            activeOptions={{ exact: true }}
            activeProps={{ className: links.active }}
          >
            <IconHome size={16} stroke={1.5} aria-hidden />
            {texts.navigation.home}
          </Link>
          {groupsOf(me).map(({ name, types }) => (
            <section key={name} className={styles.group}>
              <h2 className={links.groupName}>{name}</h2>
              {types.map((type) => (
                <Link
                  key={type.uid}
                  to="/content/$type"
                  params={{ type: type.path }}
                  className={links.link}
                  activeProps={{ className: links.active, 'aria-current': 'page' }}
                >
                  {type.view.label}
                </Link>
              ))}
            </section>
          ))}
        </div>
        <Places />
      </nav>
      <PersonMenu onShortcuts={onShortcuts} />
    </div>
  )
}

/** The screens that are not content. */
function Places() {
  const places = permittedPlaces(useMe())
  if (places.length === 0) return null
  return (
    <section className={styles.places} aria-label={texts.navigation.places}>
      {places.map(({ to, label, Icon }) => (
        <Link
          key={to}
          to={to}
          className={links.link}
          activeProps={{ className: links.active, 'aria-current': 'page' }}
        >
          <Icon size={16} stroke={1.5} aria-hidden />
          {label}
        </Link>
      ))}
    </section>
  )
}

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)

interface Group {
  readonly name: string
  readonly types: readonly ContentTypeView[]
}

/** The configured groups, then the remaining types: collections before single types. */
function groupsOf({ navigation, contentTypes }: Me): readonly Group[] {
  const readable = contentTypes.filter(({ actions }) => actions.find)
  const configured = navigation.groups.map(({ name, types }) => ({
    name,
    types: types.flatMap((uid) => readable.find((type) => type.uid === uid) ?? []),
  }))
  const grouped = new Set(configured.flatMap(({ types }) => types))
  const rest = readable.filter((type) => !grouped.has(type))
  const ofKind = (kind: ContentTypeView['kind']) => rest.filter((type) => type.kind === kind)
  return [
    ...configured,
    { name: texts.navigation.content, types: ofKind('collection') },
    { name: texts.navigation.singles, types: ofKind('single') },
  ].filter(({ types }) => types.length > 0)
}
