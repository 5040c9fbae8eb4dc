/** The signed-in person, with appearance, shortcuts and signing out. */
import { Menu, useMantineColorScheme } from '@mantine/core'
import {
  IconBook2,
  IconCheck,
  IconDeviceDesktop,
  IconKeyboard,
  IconLogout,
  IconMoon,
  IconSun,
  IconUser,
} from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { rootUrl } from '../../api/request.ts'
import { signOut } from '../../api/session.ts'
import { texts } from '../../texts.ts'
import { useMe } from '../me.tsx'
import styles from './navigation.module.css'

const SCHEMES = [
  { value: 'light', label: texts.navigation.light, Icon: IconSun },
  { value: 'dark', label: texts.navigation.dark, Icon: IconMoon },
  { value: 'auto', label: texts.navigation.auto, Icon: IconDeviceDesktop },
] as const

const ICON = { size: 16, stroke: 1.5 }

export function PersonMenu({ onShortcuts }: { readonly onShortcuts: () => void }) {
  const { user } = useMe()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const endSession = async () => {
    await signOut()
    await navigate({ to: '/' })
    queryClient.clear()
    window.location.reload()
  }
  return (
    <Menu position="top-start" width={220} offset={4}>
      <Menu.Target>
        <button type="button" className={styles.person}>
          <span className={styles.initial} aria-hidden>
            {user.username.slice(0, 1).toUpperCase()}
          </span>
          <span className={styles.personName}>
            <span>{user.username}</span>
            <span className={styles.role}>{user.role.name}</span>
          </span>
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{texts.navigation.colorScheme}</Menu.Label>
        {SCHEMES.map(({ value, label, Icon }) => (
          <Menu.Item
            key={value}
            role="menuitemradio"
            aria-checked={colorScheme === value}
            leftSection={<Icon {...ICON} />}
            rightSection={colorScheme === value && <IconCheck {...ICON} />}
            onClick={() => setColorScheme(value)}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<IconUser {...ICON} />} onClick={() => void navigate({ to: '/account' })}>
          {texts.navigation.account}
        </Menu.Item>
        <Menu.Item leftSection={<IconKeyboard {...ICON} />} onClick={onShortcuts}>
          {texts.navigation.shortcuts}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconBook2 {...ICON} />}
          component="a"
          href={new URL('docs', rootUrl).href}
          target="_blank"
        >
          {texts.navigation.apiReference}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout {...ICON} />} onClick={() => void endSession()}>
          {texts.account.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
