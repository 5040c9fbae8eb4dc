/** Builds the admin app into `dist/admin`, and serves it during development in front of a running server. */
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { compress } from './build/compress.ts'
import { firstLoad } from './build/first-load.ts'

/** The server that requests of the development server are passed to. */
const SERVER = process.env.OCTAVO_URL ?? 'http://127.0.0.1:1337'

/** The server fills in the placeholders of the built page; during development this does. */
const fillPage: Plugin = {
  name: 'octavo:fill-page',
  apply: 'serve',
  transformIndexHtml: {
    order: 'pre',
    handler: (html) => html.replaceAll('__BASE__', '/admin/').replaceAll('__ROOT__', '/'),
  },
}

export default defineConfig(({ command }) => ({
  root: import.meta.dirname,
  // Relative, so that the app works under any path.
  base: command === 'build' ? './' : '/admin/',
  html: { cspNonce: command === 'build' ? '__NONCE__' : '' },
  plugins: [react(), fillPage, firstLoad(), compress()],
  build: {
    outDir: '../dist/admin',
    emptyOutDir: true,
    target: 'es2023',
    // Inlined files would need data: in the policy of the page.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 700,
  },
  server: {
    port: 5173,
    proxy: { '/admin/api': SERVER, '/api': SERVER, '/uploads': SERVER },
  },
}))
