const key = "just_registered";

/** The client's own mark on an account that it has just made; lives as long as the tab. */
export const justRegistered = {
  set: () => sessionStorage.setItem(key, "1"),
  clear: () => sessionStorage.removeItem(key),
  is: () => sessionStorage.getItem(key) !== null,
};
