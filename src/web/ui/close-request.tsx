import { useEffect } from "react";

declare global {
  // not in TypeScript's library yet: https://developer.mozilla.org/docs/Web/API/CloseWatcher
  var CloseWatcher: (new () => EventTarget & { destroy: () => void }) | undefined;
}

/** While it is shown, Back on an Android phone does what Escape does, instead of leaving the page. */
export function CloseRequest() {
  useEffect(() => {
    if (!globalThis.CloseWatcher) return undefined;
    const watcher = new globalThis.CloseWatcher();
    watcher.addEventListener("close", () => {
      document.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
    });
    return () => watcher.destroy();
  }, []);
  return null;
}
