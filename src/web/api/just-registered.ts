const key = "just_registered";

/** Marks an account as just registered in this tab. */
export const justRegistered = {
  set: () => sessionStorage.setItem(key, "1"),
  clear: () => sessionStorage.removeItem(key),
  is: () => sessionStorage.getItem(key) !== null,
};
