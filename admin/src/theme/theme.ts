/** The tokens of the app as the theme of its component library. */
import { Button, type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'
import type { MouseEvent } from 'react'

/** The ten shades of the accent. Index 7 is the accent in light, index 4 in dark. */
const accent: MantineColorsTuple = [
  '#fbf3f3',
  '#f3dfe1',
  '#eebec4',
  '#e79fa8',
  '#e0808c',
  '#c65a68',
  '#a83c4b',
  '#8a2432',
  '#731c29',
  '#5b1520',
]

/** Greys with the warmth of the page. The component library takes backgrounds and borders from them. */
const gray: MantineColorsTuple = [
  '#faf9f6',
  '#f3f1ec',
  '#ebe8e1',
  '#e5e1d8',
  '#cfc9bc',
  '#a9a498',
  '#666b73',
  '#4d525a',
  '#34383f',
  '#1d2026',
]

/** The same for dark: text first, then borders, inputs, surface and page. */
const dark: MantineColorsTuple = [
  '#eceae5',
  '#c8c9c9',
  '#a0a4ab',
  '#7a7f88',
  '#4a4e56',
  '#33363c',
  '#25282d',
  '#1e2024',
  '#1a1b1f',
  '#16171a',
]

/** Boxes and switches are ink: the accent is for the main action and for focus. */
const INK = { color: 'var(--text)', iconColor: 'var(--surface)' }
/** The second click of a double click must not close the dialog that the first one opened. */
export const OVERLAY = {
  backgroundOpacity: 0.4,
  onClickCapture: (event: MouseEvent) => {
    if (event.detail > 1) event.stopPropagation()
  },
}

/** The colours of filled buttons, legible in light and dark. */
const MAIN_ACTION = { '--button-color': 'var(--on-accent)' }
const DELETING = {
  '--button-bg': 'var(--danger)',
  '--button-hover': 'var(--danger)',
  '--button-color': 'var(--surface)',
}

export const theme = createTheme({
  colors: { accent, gray, dark },
  primaryColor: 'accent',
  primaryShade: { light: 7, dark: 4 },
  autoContrast: true,
  fontFamily: 'var(--font)',
  fontFamilyMonospace: 'var(--mono)',
  fontSizes: { xs: '12px', sm: '14px', md: '14px', lg: '16px', xl: '20px' },
  lineHeights: { xs: '1.4', sm: '1.43', md: '1.43', lg: '1.4', xl: '1.3' },
  headings: { fontFamily: 'var(--serif)', fontWeight: '500' },
  defaultRadius: 'var(--radius)',
  spacing: { xs: '4px', sm: '8px', md: '12px', lg: '16px', xl: '24px' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Button: Button.extend({
      defaultProps: { size: 'sm' },
      styles: { root: { fontWeight: 500 } },
      vars: (_theme, { variant = 'filled', color }) => ({
        root: variant === 'filled' ? (color === 'red' ? DELETING : MAIN_ACTION) : {},
      }),
    }),
    InputWrapper: { styles: { label: { marginBottom: 2, fontWeight: 550 } } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
    Checkbox: { defaultProps: INK },
    Radio: { defaultProps: INK },
    Switch: {
      defaultProps: { color: 'var(--text)', withThumbIndicator: false },
      styles: { thumb: { backgroundColor: 'var(--surface)' } },
    },
    SegmentedControl: { defaultProps: { transitionDuration: 120 } },
    Modal: {
      defaultProps: {
        centered: true,
        radius: 10,
        padding: 20,
        overlayProps: OVERLAY,
        transitionProps: { duration: 120 },
      },
      styles: { title: { fontSize: 16, fontWeight: 600 } },
    },
    Drawer: {
      defaultProps: { padding: 20, overlayProps: OVERLAY, transitionProps: { duration: 120 } },
      styles: { title: { fontSize: 16, fontWeight: 600 } },
    },
    Menu: { defaultProps: { shadow: 'md', transitionProps: { duration: 80 } } },
    Popover: { defaultProps: { shadow: 'md', transitionProps: { duration: 80 } } },
    Tooltip: { defaultProps: { openDelay: 400, transitionProps: { duration: 80 } } },
  },
})

const variables = {
  '--mantine-color-body': 'var(--surface)',
  '--mantine-color-text': 'var(--text)',
  '--mantine-color-dimmed': 'var(--muted)',
  '--mantine-color-placeholder': 'var(--muted)',
  '--mantine-color-default': 'var(--surface)',
  '--mantine-color-default-hover': 'var(--hover)',
  '--mantine-color-default-color': 'var(--text)',
  '--mantine-color-default-border': 'var(--line-strong)',
  '--mantine-color-error': 'var(--danger)',
  '--mantine-color-anchor': 'var(--accent)',
  '--mantine-color-gray-light-hover': 'var(--hover)',
  '--mantine-color-gray-light-color': 'var(--muted)',
  '--mantine-primary-color-filled': 'var(--accent)',
  '--mantine-primary-color-filled-hover': 'var(--accent-hover)',
  '--mantine-primary-color-contrast': 'var(--on-accent)',
  '--mantine-color-accent-filled': 'var(--accent)',
  '--mantine-color-accent-filled-hover': 'var(--accent-hover)',
}

export const resolveVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: variables,
  dark: variables,
})
