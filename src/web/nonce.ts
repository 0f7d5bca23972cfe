import { setNonce } from "get-nonce";

/** The nonce of this page's style-src; empty in development, where no policy is sent. */
function pageNonce() {
  return document.querySelector<HTMLStyleElement>("style[nonce]")?.nonce ?? "";
}

/** Hands the page's nonce to Radix's scroll lock, the one thing here that inserts a style element. */
export function sharePageNonce() {
  const nonce = pageNonce();
  if (nonce) setNonce(nonce);
}
