/** A value stored for this tab or this browser, unless storage is disabled. */
export function stored(key: string, where: "tab" | "browser" = "tab") {
  const attempt = <T>(use: (storage: Storage) => T): T | null => {
    try {
      return use(where === "tab" ? sessionStorage : localStorage);
    } catch {
      return null;
    }
  };
  return {
    recall: () => attempt((storage) => storage.getItem(key)),
    remember: (value: string) => void attempt((storage) => storage.setItem(key, value)),
    forget: () => void attempt((storage) => storage.removeItem(key)),
  };
}
