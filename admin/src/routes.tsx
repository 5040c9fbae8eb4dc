/** The addresses of the app, and the screen at each. */
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
} from '@tanstack/react-router'
import { appUrl } from './api/request.ts'
import { parseListSearch } from './content/list/list-search.ts'
import { parseMediaSearch } from './media/media-search.ts'
import { parseReleasesSearch } from './releases/releases-search.ts'
import { parseAuditSearch } from './settings/audit/audit-search.ts'
import { NotFound, ScreenError } from './shell/states.tsx'

const root = createRootRouteWithContext()({
  component: Outlet,
  notFoundComponent: NotFound,
  errorComponent: ScreenError,
})

const text = (value: unknown) => (typeof value === 'string' ? value : undefined)

const setup = createRoute({
  getParentRoute: () => root,
  path: 'setup',
  validateSearch: ({ token }) => ({ token: text(token) ?? '' }),
  component: lazyRouteComponent(() => import('./shell/accounts/setup-screen.tsx'), 'SetupScreen'),
})

const invitation = createRoute({
  getParentRoute: () => root,
  path: 'invitation',
  validateSearch: ({ code }) => ({ code: text(code) ?? '' }),
  component: lazyRouteComponent(() => import('./shell/accounts/invitation-screen.tsx'), 'InvitationScreen'),
})

const forgotPassword = createRoute({
  getParentRoute: () => root,
  path: 'forgot-password',
  component: lazyRouteComponent(
    () => import('./shell/accounts/forgot-password-screen.tsx'),
    'ForgotPasswordScreen',
  ),
})

const resetPassword = createRoute({
  getParentRoute: () => root,
  path: 'reset-password',
  validateSearch: ({ code }) => ({ code: text(code) ?? '' }),
  component: lazyRouteComponent(
    () => import('./shell/accounts/reset-password-screen.tsx'),
    'ResetPasswordScreen',
  ),
})

/** Everything that needs a session. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: lazyRouteComponent(() => import('./shell/shell.tsx'), 'Shell'),
})

const home = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  component: lazyRouteComponent(() => import('./shell/home/home-screen.tsx'), 'HomeScreen'),
})

const account = createRoute({
  getParentRoute: () => signedIn,
  path: 'account',
  component: lazyRouteComponent(() => import('./shell/accounts/account-screen.tsx'), 'AccountScreen'),
})

/** The list of a collection type, or the document of a single type. */
const list = createRoute({
  getParentRoute: () => signedIn,
  path: 'content/$type',
  validateSearch: parseListSearch,
  component: lazyRouteComponent(() => import('./content/type-screen.tsx'), 'TypeScreen'),
})

const media = createRoute({
  getParentRoute: () => signedIn,
  path: 'media',
  validateSearch: parseMediaSearch,
  component: lazyRouteComponent(() => import('./media/media-screen.tsx'), 'MediaScreen'),
})

const deleted = createRoute({
  getParentRoute: () => signedIn,
  path: 'content/$type/deleted',
  component: lazyRouteComponent(() => import('./content/deleted/deleted-screen.tsx'), 'DeletedScreen'),
})

const view = createRoute({
  getParentRoute: () => signedIn,
  path: 'content/$type/view',
  component: lazyRouteComponent(() => import('./content/view/view-screen.tsx'), 'ViewScreen'),
})

const edit = createRoute({
  getParentRoute: () => signedIn,
  path: 'content/$type/$documentId',
  validateSearch: ({ locale, field }): { locale?: string; field?: string } => ({
    ...(text(locale) && { locale: text(locale) ?? '' }),
    ...(text(field) && { field: text(field) ?? '' }),
  }),
  component: lazyRouteComponent(() => import('./content/edit/edit-screen.tsx'), 'EditScreen'),
})

/** The sections of the settings; `settings/sections.ts` lists them for the navigation. */
const settings = createRoute({
  getParentRoute: () => signedIn,
  path: 'settings',
  component: lazyRouteComponent(() => import('./settings/settings-screen.tsx'), 'SettingsScreen'),
})

const firstSection = createRoute({
  getParentRoute: () => settings,
  path: '/',
  component: lazyRouteComponent(() => import('./settings/settings-screen.tsx'), 'FirstSection'),
})

const team = createRoute({
  getParentRoute: () => settings,
  path: 'team',
  component: lazyRouteComponent(() => import('./settings/team/team-section.tsx'), 'TeamSection'),
})

const roles = createRoute({
  getParentRoute: () => settings,
  path: 'roles',
  component: lazyRouteComponent(() => import('./settings/roles/roles-section.tsx'), 'RolesSection'),
})

const role = createRoute({
  getParentRoute: () => settings,
  path: 'roles/$role',
  component: lazyRouteComponent(() => import('./settings/roles/role-page.tsx'), 'RolePage'),
})

const tokens = createRoute({
  getParentRoute: () => settings,
  path: 'tokens',
  component: lazyRouteComponent(() => import('./settings/tokens/tokens-section.tsx'), 'TokensSection'),
})

const users = createRoute({
  getParentRoute: () => settings,
  path: 'users',
  component: lazyRouteComponent(() => import('./settings/users/users-section.tsx'), 'UsersSection'),
})

const locales = createRoute({
  getParentRoute: () => settings,
  path: 'locales',
  component: lazyRouteComponent(() => import('./settings/locales/locales-section.tsx'), 'LocalesSection'),
})

const about = createRoute({
  getParentRoute: () => settings,
  path: 'about',
  component: lazyRouteComponent(() => import('./settings/about/about-section.tsx'), 'AboutSection'),
})

const webhooks = createRoute({
  getParentRoute: () => settings,
  path: 'webhooks',
  component: lazyRouteComponent(() => import('./settings/webhooks/webhooks-section.tsx'), 'WebhooksSection'),
})

const webhook = createRoute({
  getParentRoute: () => settings,
  path: 'webhooks/$id',
  component: lazyRouteComponent(() => import('./settings/webhooks/webhook-section.tsx'), 'WebhookSection'),
})

const audit = createRoute({
  getParentRoute: () => settings,
  path: 'audit',
  validateSearch: parseAuditSearch,
  component: lazyRouteComponent(() => import('./settings/audit/audit-section.tsx'), 'AuditSection'),
})

const jobs = createRoute({
  getParentRoute: () => settings,
  path: 'jobs',
  component: lazyRouteComponent(() => import('./settings/jobs/jobs-section.tsx'), 'JobsSection'),
})

const releases = createRoute({
  getParentRoute: () => signedIn,
  path: 'releases',
  validateSearch: parseReleasesSearch,
  component: lazyRouteComponent(() => import('./releases/releases-screen.tsx'), 'ReleasesScreen'),
})

const release = createRoute({
  getParentRoute: () => signedIn,
  path: 'releases/$id',
  component: lazyRouteComponent(() => import('./releases/release-screen.tsx'), 'ReleaseScreen'),
})

/** The model editor; only admins see it. */
const model = createRoute({
  getParentRoute: () => signedIn,
  path: 'model',
  component: lazyRouteComponent(() => import('./model/model-screen.tsx'), 'ModelScreen'),
})

const modelOverview = createRoute({
  getParentRoute: () => model,
  path: '/',
  validateSearch: ({ view }): { view?: 'diagram' } => (view === 'diagram' ? { view } : {}),
  component: lazyRouteComponent(() => import('./model/overview/overview-screen.tsx'), 'OverviewScreen'),
})

const modelSchema = createRoute({
  getParentRoute: () => model,
  path: '$uid',
  component: lazyRouteComponent(() => import('./model/schema-page/schema-screen.tsx'), 'SchemaScreen'),
})

/** How programs read a content-type. */
const apiPage = createRoute({
  getParentRoute: () => signedIn,
  path: 'content/$type/api',
  component: lazyRouteComponent(() => import('./api-page/api-screen.tsx'), 'ApiScreen'),
})

export const router = createRouter({
  routeTree: root.addChildren([
    setup,
    invitation,
    forgotPassword,
    resetPassword,
    signedIn.addChildren([
      home,
      account,
      list,
      deleted,
      view,
      media,
      edit,
      apiPage,
      releases,
      release,
      model.addChildren([modelOverview, modelSchema]),
      settings.addChildren([
        firstSection,
        team,
        roles,
        role,
        tokens,
        users,
        locales,
        webhooks,
        webhook,
        audit,
        jobs,
        about,
      ]),
    ]),
  ]),
  basepath: appUrl.pathname,
  defaultPreload: 'intent',
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
