/** The addresses of the app, and the screen at each. */
import { createRootRouteWithContext, createRoute, createRouter, Outlet } from '@tanstack/react-router'
import { appUrl } from './api/request.ts'
import { parseListSearch } from './content/list/list-search.ts'
import { parseMediaSearch } from './media/media-search.ts'
import { parseReleasesSearch } from './releases/releases-search.ts'
import { parseAuditSearch } from './settings/audit/audit-search.ts'
import { FailedScreen, lazyScreen } from './shell/lazy-screen.tsx'
import { NotFound } from './shell/states.tsx'

const root = createRootRouteWithContext()({
  component: Outlet,
  notFoundComponent: NotFound,
  errorComponent: FailedScreen,
})

const text = (value: unknown) => (typeof value === 'string' ? value : undefined)

const setup = createRoute({
  getParentRoute: () => root,
  path: 'setup',
  validateSearch: ({ token }) => ({ token: text(token) ?? '' }),
  component: lazyScreen(() => import('./shell/accounts/setup-screen.tsx'), 'SetupScreen'),
})

const invitation = createRoute({
  getParentRoute: () => root,
  path: 'invitation',
  validateSearch: ({ code }) => ({ code: text(code) ?? '' }),
  component: lazyScreen(() => import('./shell/accounts/invitation-screen.tsx'), 'InvitationScreen'),
})

const forgotPassword = createRoute({
  getParentRoute: () => root,
  path: 'forgot-password',
  component: lazyScreen(() => import('./shell/accounts/forgot-password-screen.tsx'), 'ForgotPasswordScreen'),
})

const resetPassword = createRoute({
  getParentRoute: () => root,
  path: 'reset-password',
  validateSearch: ({ code }) => ({ code: text(code) ?? '' }),
  component: lazyScreen(() => import('./shell/accounts/reset-password-screen.tsx'), 'ResetPasswordScreen'),
})

/** Everything that needs a session. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: lazyScreen(() => import('./shell/shell.tsx'), 'Shell'),
})

const home = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  component: lazyScreen(() => import('./shell/home/home-screen.tsx'), 'HomeScreen'),
})

const account = createRoute({
  getParentRoute: () => signedIn,
  path: 'account',
  component: lazyScreen(() => import('./shell/accounts/account-screen.tsx'), 'AccountScreen'),
})

/** The list of a collection type, or the document of a single type. */
const list = createRoute({
  getParentRoute: () => signedIn,
  path: 'content/$type',
  validateSearch: parseListSearch,
  component: lazyScreen(() => import('./content/type-screen.tsx'), 'TypeScreen'),
})

const media = createRoute({
  getParentRoute: () => signedIn,
  path: 'media',
  validateSearch: parseMediaSearch,
  component: lazyScreen(() => import('./media/media-screen.tsx'), 'MediaScreen'),
})

const deleted = createRoute({
  getParentRoute: () => signedIn,
  path: 'content/$type/deleted',
  component: lazyScreen(() => import('./content/deleted/deleted-screen.tsx'), 'DeletedScreen'),
})

const view = createRoute({
  getParentRoute: () => signedIn,
  path: 'content/$type/view',
  component: lazyScreen(() => import('./content/view/view-screen.tsx'), 'ViewScreen'),
})

const edit = createRoute({
  getParentRoute: () => signedIn,
  path: 'content/$type/$documentId',
  validateSearch: ({ locale, field }): { locale?: string; field?: string } => ({
    ...(text(locale) && { locale: text(locale) ?? '' }),
    ...(text(field) && { field: text(field) ?? '' }),
  }),
  component: lazyScreen(() => import('./content/edit/edit-screen.tsx'), 'EditScreen'),
})

/** The sections of the settings; `settings/sections.ts` lists them for the navigation. */
const settings = createRoute({
  getParentRoute: () => signedIn,
  path: 'settings',
  component: lazyScreen(() => import('./settings/settings-screen.tsx'), 'SettingsScreen'),
})

const firstSection = createRoute({
  getParentRoute: () => settings,
  path: '/',
  component: lazyScreen(() => import('./settings/settings-screen.tsx'), 'FirstSection'),
})

const team = createRoute({
  getParentRoute: () => settings,
  path: 'team',
  component: lazyScreen(() => import('./settings/team/team-section.tsx'), 'TeamSection'),
})

const roles = createRoute({
  getParentRoute: () => settings,
  path: 'roles',
  component: lazyScreen(() => import('./settings/roles/roles-section.tsx'), 'RolesSection'),
})

const role = createRoute({
  getParentRoute: () => settings,
  path: 'roles/$role',
  component: lazyScreen(() => import('./settings/roles/role-page.tsx'), 'RolePage'),
})

const tokens = createRoute({
  getParentRoute: () => settings,
  path: 'tokens',
  component: lazyScreen(() => import('./settings/tokens/tokens-section.tsx'), 'TokensSection'),
})

const users = createRoute({
  getParentRoute: () => settings,
  path: 'users',
  component: lazyScreen(() => import('./settings/users/users-section.tsx'), 'UsersSection'),
})

const locales = createRoute({
  getParentRoute: () => settings,
  path: 'locales',
  component: lazyScreen(() => import('./settings/locales/locales-section.tsx'), 'LocalesSection'),
})

const about = createRoute({
  getParentRoute: () => settings,
  path: 'about',
  component: lazyScreen(() => import('./settings/about/about-section.tsx'), 'AboutSection'),
})

const webhooks = createRoute({
  getParentRoute: () => settings,
  path: 'webhooks',
  component: lazyScreen(() => import('./settings/webhooks/webhooks-section.tsx'), 'WebhooksSection'),
})

const webhook = createRoute({
  getParentRoute: () => settings,
  path: 'webhooks/$id',
  component: lazyScreen(() => import('./settings/webhooks/webhook-section.tsx'), 'WebhookSection'),
})

const audit = createRoute({
  getParentRoute: () => settings,
  path: 'audit',
  validateSearch: parseAuditSearch,
  component: lazyScreen(() => import('./settings/audit/audit-section.tsx'), 'AuditSection'),
})

const jobs = createRoute({
  getParentRoute: () => settings,
  path: 'jobs',
  component: lazyScreen(() => import('./settings/jobs/jobs-section.tsx'), 'JobsSection'),
})

const releases = createRoute({
  getParentRoute: () => signedIn,
  path: 'releases',
  validateSearch: parseReleasesSearch,
  component: lazyScreen(() => import('./releases/releases-screen.tsx'), 'ReleasesScreen'),
})

const release = createRoute({
  getParentRoute: () => signedIn,
  path: 'releases/$id',
  component: lazyScreen(() => import('./releases/release-screen.tsx'), 'ReleaseScreen'),
})

/** The model editor; only admins see it. */
const model = createRoute({
  getParentRoute: () => signedIn,
  path: 'model',
  component: lazyScreen(() => import('./model/model-screen.tsx'), 'ModelScreen'),
})

const modelOverview = createRoute({
  getParentRoute: () => model,
  path: '/',
  validateSearch: ({ view }): { view?: 'diagram' } => (view === 'diagram' ? { view } : {}),
  component: lazyScreen(() => import('./model/overview/overview-screen.tsx'), 'OverviewScreen'),
})

const modelSchema = createRoute({
  getParentRoute: () => model,
  path: '$uid',
  component: lazyScreen(() => import('./model/schema-page/schema-screen.tsx'), 'SchemaScreen'),
})

/** How programs read a content-type. */
const apiPage = createRoute({
  getParentRoute: () => signedIn,
  path: 'content/$type/api',
  component: lazyScreen(() => import('./api-page/api-screen.tsx'), 'ApiScreen'),
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
  // The navigation stays when a screen fails.
  defaultErrorComponent: FailedScreen,
  defaultPreload: 'intent',
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
