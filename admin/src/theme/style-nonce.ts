/**
 * The page's policy allows generated styles only with the nonce of the page. Most libraries take it as an option; the one
 * that locks scrolling under dialogs reads a global.
 */
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''

Object.assign(globalThis, { __webpack_nonce__: nonce })

export const styleNonce = () => nonce
