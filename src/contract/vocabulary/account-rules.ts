/**
 * The header in which a page says the id of the account that it shows. A call for another one than the session's is
 * refused with `other_account`: somebody else may have signed in in another tab since the page was loaded.
 */
export const shownAccountHeader = "x-account";

/** What an account's fields may hold. */
export const usernameRule = /^[A-Za-z0-9_.-]{3,32}$/;

/** Characters of a password, as {@link normalizePassword} writes it. */
export const passwordLength = { least: 8, most: 128 };

/** The text of a password that is hashed and compared: keyboards differ in how they write a letter (NFC or NFD). */
export const normalizePassword = (typed: string): string => typed.normalize("NFKC");

/** How many code points a password has. */
export const lengthOfPassword = (typed: string): number => [...normalizePassword(typed)].length;
